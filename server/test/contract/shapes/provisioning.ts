// The shapes of provisioning, and of errors of SCIM.
import { closed, listOf, matching, natural, nullableString, orNull, text, timestamp } from './basics.ts';
import { byStatus } from './errors.ts';

// behaviour K28
export const provisioning = closed({
  base_url: text,
  provisioning_token: {
    anyOf: [
      closed({
        prefix: text,
        created_at: timestamp,
        last_used_at: orNull(timestamp),
      }),
      { type: 'null' },
    ],
  },
  user_count: natural,
  active_user_count: natural,
  users_without_address_count: natural,
  group_count: natural,
  requests: listOf(
    closed({ created_at: timestamp, method: text, path: text, status: natural, detail: nullableString }),
  ),
});
export const newProvisioningToken = closed({
  token: matching('^concord_scim_[A-Za-z0-9]{38}$'),
  prefix: matching('^concord_scim_[A-Za-z0-9]{6}$'),
});
export const provisionedGroup = closed({
  id: matching('^scg_'),
  name: text,
  member_count: natural,
  acl_permission_group_id: nullableString,
  created_at: timestamp,
  updated_at: timestamp,
});

// RFC 7644, section 3.12
export const scimError = byStatus((status) => ({
  ...closed({
    schemas: { const: ['urn:ietf:params:scim:api:messages:2.0:Error'] },
    status: { const: String(status) },
    scimType: text,
    detail: text,
  }),
  required: ['schemas', 'status', 'detail'],
}));
