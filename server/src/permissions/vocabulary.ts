// The words of permissions: what can be acted on, how, and who acts.

/** Every resource and what it is. `*` in a grant stands for all of them. */
export const resources = {
  partner: 'The partner itself',
  agreements: 'Who has access to the partner',
  acl_permission_groups: 'The permission groups of the partner',
  audit_log: 'What was done, and by whom',
  webhook_endpoints: 'Where webhooks are sent',
  events: 'What webhooks tell of',
  deliveries: 'The sending of an event to an endpoint, and its attempts',
} as const;
export type Resource = keyof typeof resources;
export const resourceNames = Object.keys(resources) as Resource[];

/** In the order of the wire. */
export const methods = {
  get: 'reads one',
  put: 'replaces',
  post: 'creates, or runs an action',
  patch: 'updates',
  delete: 'deletes',
  query: 'lists or searches',
} as const;
export type Method = keyof typeof methods;
export const methodNames = Object.keys(methods) as Method[];

export type Permission = { readonly resource: Resource; readonly method: Method };

/** A grant as it is on the wire and in the database (docs/interface.md 2.4): what may be done with one resource, or with all. */
export type AclPermission = { readonly resource: Resource | '*' } & Readonly<Record<Method, boolean>>;

/** What a request was let in with. A token may do what its scopes and its user both may, with these partners only. */
export type Credential =
  | { readonly kind: 'session'; readonly id: string }
  | {
      readonly kind: 'token';
      readonly id: string;
      readonly scopes: readonly AclPermission[];
      /** Bare UUIDs; null: every partner of the user. */
      readonly partnerIds: readonly string[] | null;
    };

/** Who calls: a user, known by a credential that was valid a moment ago. */
export type Principal = {
  readonly userId: string;
  readonly role: 'operator' | 'user';
  /** `missing`: the user has enabled one, and the credential carries no proof of it. */
  readonly secondFactor: 'not_enabled' | 'proven' | 'missing';
  readonly credential: Credential;
};

/** An agreement of the caller that is accepted and has not expired: what it gives them. */
export type Membership = {
  /** Bare UUID. */
  readonly agreementId: string;
  readonly owner: boolean;
  readonly mfaRequired: boolean;
  readonly expiresAt: Date | null;
  readonly aclPermissions: readonly AclPermission[];
  readonly groups: readonly { readonly id: string; readonly aclPermissions: readonly AclPermission[] }[];
};
