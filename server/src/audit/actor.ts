// Who makes a change: the kind of actor, the credential, the request and the network address.

/** `connection`: the directory of a company, by provisioning. */
export const actorKinds = [
  'person',
  'service_account',
  'operator',
  'connection',
  'command',
  'task',
  'nobody',
] as const;

/** `mail_link`: a link from a mail, whose id says what for. `none`: a failed sign-in. */
export const credentialKinds = [
  'session',
  'token',
  'provisioning_token',
  'mail_link',
  'provider',
  'task',
  'command',
  'none',
] as const;

/** `address` is personal, so it can be erased. Null: no request. */
export type Actor = {
  readonly kind: (typeof actorKinds)[number];
  readonly userId: string;
  readonly credential: { readonly kind: (typeof credentialKinds)[number]; readonly id: string };
  readonly requestId: string;
  readonly address: string | null;
};

const noRequest = { requestId: '', address: null };

export const systemActor = (task: string): Actor => ({
  kind: 'task',
  userId: 'system',
  credential: { kind: 'task', id: task },
  ...noRequest,
});

export const commandActor = (command: string): Actor => ({
  kind: 'command',
  userId: 'command line',
  credential: { kind: 'command', id: command },
  ...noRequest,
});
