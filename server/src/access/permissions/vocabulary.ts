// The words of permissions: resources, methods, principals and memberships.

/**
 * Every resource with its description, which GET /acl-resources shows. `*` in a grant stands for all
 * resources.
 */
export const resources = {
  partner: 'The partner itself',
  agreements: 'Who has access to the partner',
  acl_permission_groups: 'The permission groups of the partner',
  audit_log: 'The record of who changed what',
  webhook_endpoints: 'The URLs that receive webhooks',
  events: 'The events that webhooks report',
  deliveries: 'Each event on its way to one endpoint, with its attempts',
} as const;
export type Resource = keyof typeof resources;
export const resourceNames = Object.keys(resources) as Resource[];

/** Every method with its description, in the order of the wire. */
export const methods = {
  get: 'Read one object',
  put: 'Replace an object',
  post: 'Create an object, or run an action',
  patch: 'Update an object',
  delete: 'Delete an object',
  query: 'List or search objects',
} as const;
export type Method = keyof typeof methods;
export const methodNames = Object.keys(methods) as Method[];

export type Permission = { readonly resource: Resource; readonly method: Method };
/** Every permission that there is, in the order of the wire. */
export const allPermissions: readonly Permission[] = resourceNames.flatMap((resource) =>
  methodNames.map((method) => ({ resource, method })),
);
/** Such as `deliveries.query`. */
export const permissionName = ({ resource, method }: { resource: Resource | '*'; method: Method }): string =>
  `${resource}.${method}`;

/** An entry of `acl_permissions` on the wire and in the database (docs/interface.md 2.4). */
export type AclPermission = { readonly resource: Resource | '*' } & Readonly<Record<Method, boolean>>;

/**
 * What identifies the caller. A token may do what both its scopes and its user may do, on its partners only.
 */
export type Credential =
  | { readonly kind: 'session'; readonly id: string }
  | {
      readonly kind: 'token';
      readonly id: string;
      readonly scopes: readonly AclPermission[];
      /** Bare UUIDs. Null: every partner of the user. */
      readonly partnerIds: readonly string[] | null;
    };

/** The user that a valid credential identifies. */
export type Principal = {
  readonly userId: string;
  readonly role: 'operator' | 'user';
  /** `missing`: the user has enabled a second factor, and the credential carries no proof of it. */
  readonly secondFactor: 'not_enabled' | 'proven' | 'missing';
  readonly credential: Credential;
};

/** A live agreement of the caller: accepted and not expired. */
export type Membership = {
  readonly agreementId: string;
  readonly owner: boolean;
  readonly mfaRequired: boolean;
  /**
   * The agreement works only in a session that an identity provider of the partner proved lately, and the
   * credential is no such session.
   */
  readonly lacksSso: boolean;
  readonly expiresAt: Date | null;
  readonly aclPermissions: readonly AclPermission[];
  readonly groups: readonly { readonly id: string; readonly aclPermissions: readonly AclPermission[] }[];
  /** What approved access requests give, and still give now (behaviour A32). */
  readonly temporary: readonly TemporaryGrant[];
};

/** `permissions`: names. */
export type TemporaryGrant = { readonly permissions: readonly string[]; readonly endsAt: Date };
