// The wire of what was pending in a restored backup (behaviour O26 to O28).
import { type Static, Type } from 'typebox';
import { Closed, Count, NullableMoment } from '../../../base/http/schemas.ts';

export const Restored = Closed(
  'HeldDeliveries',
  {
    state: Type.Enum(['none', 'waiting', 'sending', 'failing'], {
      description:
        '`waiting`: nobody has chosen yet. `sending`, `failing`: a task works on the choice. `none`: nothing is held',
    }),
    deliveries: Count('Deliveries that are held. The largest number is 100000: so many, or more'),
    mails: Count('Mails that are held. The largest number is 10000: so many, or more'),
    taken_at: NullableMoment('When the backup was taken. null: nothing is held'),
    restored_at: NullableMoment('When it was restored. null: nothing is held'),
  },
  {
    state: 'waiting',
    deliveries: 120,
    mails: 1,
    taken_at: '2026-01-31T03:00:00.000Z',
    restored_at: '2026-01-31T09:00:00.000Z',
  },
);
export type Restored = Static<typeof Restored>;

export const ChooseRestored = Closed(
  'ChooseHeldDeliveries',
  {
    choice: Type.Enum(['send', 'fail'], {
      description:
        '`send`: they are due now. `fail`: deliveries fail with the reason `restored`, and mails are dropped',
    }),
  },
  { choice: 'send' },
);
export type Choice = Static<typeof ChooseRestored>['choice'];
