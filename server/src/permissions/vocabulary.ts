// The words of permissions: what can be acted on, and how.

export const resources = ['partner'] as const;
export type Resource = (typeof resources)[number];

/** `get` reads one, `query` lists or searches, `post` creates or runs an action, `put` replaces. */
export const methods = ['get', 'put', 'post', 'patch', 'delete', 'query'] as const;
export type Method = (typeof methods)[number];

export type Permission = { readonly resource: Resource; readonly method: Method };

/** Who calls: a user, known by a credential that was valid a moment ago. */
export type Principal = {
  readonly userId: string;
  readonly role: 'operator' | 'user';
  /** The session behind the credential; the request window counts by it. */
  readonly sessionId: string;
};
