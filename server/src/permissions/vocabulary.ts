// The words of permissions: what can be acted on, and how.

type Resource = 'partner';

/** `get` reads one, `query` lists or searches, `post` creates or runs an action, `put` replaces. */
type Method = 'get' | 'put' | 'post' | 'patch' | 'delete' | 'query';

export type Permission = { readonly resource: Resource; readonly method: Method };

/** Who calls: a user, known by a credential that was valid a moment ago. */
export type Principal = {
  readonly userId: string;
  readonly role: 'operator' | 'user';
  /** `missing`: the user has enabled one, and the credential carries no proof of it. */
  readonly secondFactor: 'not_enabled' | 'proven' | 'missing';
  /** The session behind the credential; the request window counts by it. */
  readonly sessionId: string;
};
