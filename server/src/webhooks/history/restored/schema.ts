// The wire of what was pending in a restored backup (behaviour O26 to O28).
import { type Static, Type } from 'typebox';
import { NullableMoment } from '../../../base/http/schemas.ts';

const closed = { additionalProperties: false };

export const Restored = Type.Object(
  {
    state: Type.Enum(['none', 'waiting', 'sending', 'failing'], {
      description:
        '`waiting`: nobody has chosen yet. `sending`, `failing`: a task works on the choice. `none`: nothing is held',
    }),
    deliveries: Type.Integer({
      minimum: 0,
      description: 'Deliveries that are held. The largest number is 100000: so many, or more',
    }),
    mails: Type.Integer({
      minimum: 0,
      description: 'Mails that are held. The largest number is 10000: so many, or more',
    }),
    taken_at: NullableMoment('When the backup was taken. null: nothing is held'),
    restored_at: NullableMoment('When it was restored. null: nothing is held'),
  },
  {
    title: 'HeldDeliveries',
    ...closed,
    examples: [
      {
        state: 'waiting',
        deliveries: 120,
        mails: 1,
        taken_at: '2026-01-31T03:00:00.000Z',
        restored_at: '2026-01-31T09:00:00.000Z',
      },
    ],
  },
);
export type Restored = Static<typeof Restored>;

export const ChooseRestored = Type.Object(
  {
    choice: Type.Enum(['send', 'fail'], {
      description:
        '`send`: they are due now. `fail`: deliveries fail with the reason `restored`, and mails are dropped',
    }),
  },
  { title: 'ChooseHeldDeliveries', ...closed, examples: [{ choice: 'send' }] },
);
export type Choice = Static<typeof ChooseRestored>['choice'];
