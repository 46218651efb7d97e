// The wire of access reviews.
import { type Static, Type } from 'typebox';
import {
  Closed,
  Count,
  exampleId,
  GivenId,
  Id,
  NullableInteger,
  NullableMoment,
  NullableString,
  Timestamp,
} from '../../base/http/schemas.ts';

const IntervalDays = NullableInteger('A review opens this often. null: never', {
  minimum: 7,
  maximum: 366,
});
const WarningDays = Type.Integer({
  minimum: 1,
  maximum: 60,
  description:
    'The owners are warned so long after the opening, and what nobody confirmed ends so long after the warning. At most half of `interval_days`',
});

export const SetReviewPolicy = Closed(
  'SetAccessReviewPolicy',
  { interval_days: IntervalDays, warning_days: Type.Optional(WarningDays) },
  { interval_days: 90, warning_days: 14 },
);
export type SetReviewPolicy = Static<typeof SetReviewPolicy>;

export const ReviewPolicy = Closed(
  'AccessReviewPolicy',
  {
    interval_days: IntervalDays,
    warning_days: WarningDays,
    next_review_at: NullableMoment('When the next review opens, unless one is open. null: never'),
  },
  { interval_days: 90, warning_days: 14, next_review_at: '2026-04-30T08:00:00.000Z' },
);
export type ReviewPolicy = Static<typeof ReviewPolicy>;

const decisions = ['pending', 'confirmed', 'ended', 'lapsed', 'kept', 'gone', 'undecided'] as const;
export type Decision = (typeof decisions)[number];

export const Review = Closed(
  'AccessReview',
  {
    id: Id('arv'),
    state: Type.Enum(['open', 'closed']),
    opened_at: Timestamp(),
    warned_at: NullableMoment('When a mail warned the owners. null: not yet'),
    due_at: Timestamp('What nobody confirmed ends from then on'),
    closed_at: NullableMoment('null: the review is open'),
    agreements: Type.Object(
      Object.fromEntries(['total', ...decisions].map((each) => [each, Count()])) as Record<
        'total' | Decision,
        ReturnType<typeof Count>
      >,
      { additionalProperties: false, description: 'How many agreements have which decision' },
    ),
  },
  {
    id: exampleId('arv'),
    state: 'open',
    opened_at: '2026-01-31T08:00:00.000Z',
    warned_at: null,
    due_at: '2026-02-28T08:00:00.000Z',
    closed_at: null,
    agreements: {
      total: 50,
      pending: 37,
      confirmed: 12,
      ended: 1,
      lapsed: 0,
      kept: 0,
      gone: 0,
      undecided: 0,
    },
  },
);
export type Review = Static<typeof Review>;

const reviewed = {
  id: Id('agr', 'The agreement'),
  name: NullableString(
    'The name of the person or service account. null: the account of the person is deleted',
  ),
  email: NullableString('The address of the agreement. null: as for `name`, or a service account'),
  decision: Type.Enum([...decisions], {
    description:
      '`lapsed`: nobody confirmed it, so the review ended it. `kept`: as `lapsed`, but the last owner stays. `gone`: it ended, or was deleted, before anybody decided. `undecided`: the review was closed early',
  }),
  decided_at: NullableMoment('null: nothing is decided'),
};

export const ReviewItem = Closed(
  'AccessReviewItem',
  {
    ...reviewed,
    service_account: Type.Boolean(),
    owner: Type.Boolean(),
    permissions: Type.Array(Type.String(), {
      description: 'What the agreement gave directly when the review opened, such as `deliveries.query`',
    }),
    group_names: Type.Array(Type.String(), { description: 'Its permission groups when the review opened' }),
    decided_by: NullableString(
      'The name of the person. null: the review itself, or the account of the person is deleted',
    ),
    decided_by_email: NullableString('As for `decided_by`'),
  },
  {
    id: exampleId('agr'),
    name: 'Ann Lee',
    email: 'ann@nordlys.example',
    decision: 'confirmed',
    decided_at: '2026-02-01T09:30:00.000Z',
    service_account: false,
    owner: false,
    permissions: ['deliveries.query'],
    group_names: ['Viewer'],
    decided_by: 'Olga Owner',
    decided_by_email: 'olga@nordlys.example',
  },
);
export type ReviewItem = Static<typeof ReviewItem>;

/** For the export of personal data. It names nobody else. */
export const OwnReviewItem = Closed('OwnAccessReviewItem', {
  ...reviewed,
  review_id: Review.properties.id,
  partner_id: Id('ptr'),
});
export type OwnReviewItem = Static<typeof OwnReviewItem>;

export const ConfirmMany = Closed(
  'ConfirmAgreements',
  {
    agreement_ids: Type.Array(GivenId('agr'), {
      minItems: 1,
      maxItems: 500,
      uniqueItems: true,
    }),
  },
  { agreement_ids: [exampleId('agr')] },
);

export const reviewList = { kind: 'access_review', sortable: {}, filters: {} } as const;
export const itemList = {
  kind: 'agreement',
  sortable: {},
  filters: {
    decision: { description: 'Only agreements with this decision', values: decisions },
    email: 'Only agreements whose e-mail address contains this text, in any case',
  },
} as const;
