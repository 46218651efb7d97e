// The shapes of partners, agreements, groups and service accounts.
import { namedResources } from '../../access/access-operation.ts';
import { documented } from '../../stage/documented.ts';
import {
  closed,
  flag,
  idOf,
  listOf,
  matching,
  natural,
  nullableString,
  nullableTimestamp,
  orNull,
  text,
  timestamp,
} from './basics.ts';

const coordinate = { anyOf: [{ type: 'number' }, { enum: ['NaN', 'Infinity', '-Infinity', null] }] };

/** The members of a partner that are texts or null: docs/interface.md 2.1. */
const nullableTexts = documented('interface.md', /### 2\.1 Partner\n(.*?)- `created_at`/s).filter(
  (name) => !['id', 'name', 'billing_address'].includes(name),
);

// docs/interface.md 2.1 and 2.2
export const partner = closed({
  id: idOf('ptr'),
  name: text,
  ...Object.fromEntries(nullableTexts.map((name) => [name, nullableString])),
  billing_address: closed({
    street: nullableString,
    postal_code: nullableString,
    city: nullableString,
    region: nullableString,
    country: nullableString,
    latitude: coordinate,
    longitude: coordinate,
  }),
  created_at: timestamp,
  updated_at: timestamp,
});

export const deletedPartner = closed({
  id: idOf('ptr'),
  name: text,
  deleted_at: timestamp,
  restorable_until: timestamp,
});

// docs/interface.md 2.4, 2.5 and 2.3; its two optional members are always present (behaviour A5)

const aclPermission = closed({
  resource: { enum: ['*', ...namedResources] },
  get: flag,
  put: flag,
  post: flag,
  patch: flag,
  delete: flag,
  query: flag,
});
export const aclPermissions = listOf(aclPermission);
export const aclPermissionGroup = closed({
  id: idOf('apg'),
  account_id: idOf('ptr'),
  name: text,
  type: { enum: ['managed', 'custom'] },
  created_at: timestamp,
  updated_at: timestamp,
  acl_permissions: aclPermissions,
});
const agreementMembers = {
  id: idOf('agr'),
  accepted: flag,
  owner: flag,
  mfa_required: flag,
  created_at: timestamp,
  updated_at: timestamp,
  expires_at: nullableTimestamp,
  user: closed({ email: text, name: nullableString }),
  acl_permissions: aclPermissions,
  acl_permission_groups: { type: 'array', items: aclPermissionGroup, maxItems: 50 },
  acl_permission_group_ids: { type: 'array', items: text, maxItems: 50 },
};
export const agreement = closed(agreementMembers);
export const myAgreement = closed({
  ...agreementMembers,
  partner: closed({ id: text, name: text }),
});
export const invitation = closed({
  id: agreementMembers.id,
  partner: closed({ id: text, name: text }),
  inviter: orNull(closed({ name: text })),
  email: text,
  has_account: flag,
  owner: flag,
  mfa_required: flag,
  expires_at: agreementMembers.expires_at,
  invitation_expires_at: timestamp,
  acl_permissions: aclPermissions,
  acl_permission_groups: agreementMembers.acl_permission_groups,
});
const method = { enum: ['get', 'put', 'post', 'patch', 'delete', 'query'] };
export const effectivePermission = closed({
  resource: { enum: namedResources },
  method,
  allowed: flag,
  because: { enum: ['owner', 'direct', 'group', 'access_request', 'pending', 'expired', 'not_granted'] },
  acl_permission_group_id: nullableString,
});
export const aclResource = closed({
  resource: { enum: namedResources },
  description: text,
  methods: listOf(closed({ method, description: text })),
});
const permissionNames = listOf({
  enum: namedResources.flatMap((name) => method.enum.map((each) => `${name}.${each}`)),
});
export const groupPreview = closed({
  total: natural,
  agreements: {
    ...listOf(
      closed({
        agreement_id: nullableString,
        email: nullableString,
        name: nullableString,
        owner: flag,
        state: { enum: ['pending', 'active', 'expired'] },
        gained: permissionNames,
        lost: permissionNames,
      }),
    ),
    maxItems: 1_000,
  },
});
export const grantor = closed({
  name: text,
  owner: flag,
  email: nullableString,
  agreement_id: nullableString,
});
export const accessRequest = closed({
  id: idOf('arq'),
  agreement_id: idOf('agr'),
  name: text,
  email: text,
  permissions: { ...permissionNames, minItems: 1 },
  duration_seconds: { type: 'integer', minimum: 60, maximum: 7_776_000 },
  reason: text,
  state: { enum: ['pending', 'approved', 'denied', 'withdrawn', 'lapsed', 'ended'] },
  created_at: timestamp,
  lapses_at: timestamp,
  settled_at: nullableTimestamp,
  decided_by: nullableString,
  note: nullableString,
  ends_at: nullableTimestamp,
});
export const accessReviewPolicy = closed({
  interval_days: { anyOf: [{ type: 'integer', minimum: 7, maximum: 366 }, { type: 'null' }] },
  warning_days: { type: 'integer', minimum: 1, maximum: 60 },
  next_review_at: nullableTimestamp,
});
export const accessReview = closed({
  id: idOf('arv'),
  state: { enum: ['open', 'closed'] },
  opened_at: timestamp,
  warned_at: nullableTimestamp,
  due_at: timestamp,
  closed_at: nullableTimestamp,
  agreements: closed({
    total: natural,
    pending: natural,
    confirmed: natural,
    ended: natural,
    lapsed: natural,
    kept: natural,
    gone: natural,
    undecided: natural,
  }),
});
const reviewed = {
  id: idOf('agr'),
  name: nullableString,
  email: nullableString,
  decision: { enum: ['pending', 'confirmed', 'ended', 'lapsed', 'kept', 'gone', 'undecided'] },
  decided_at: nullableTimestamp,
};
export const accessReviewItem = closed({
  ...reviewed,
  service_account: flag,
  owner: flag,
  permissions: listOf(text),
  group_names: listOf(text),
  decided_by: nullableString,
  decided_by_email: nullableString,
});
export const ownAccessReviewItem = closed({ ...reviewed, review_id: idOf('arv'), partner_id: idOf('ptr') });
export const defaultGroup = closed({ acl_permission_group_id: nullableString });

export const serviceAccount = closed({
  id: matching('^usr_'),
  name: text,
  agreement_id: matching('^agr_'),
  created_at: timestamp,
});
