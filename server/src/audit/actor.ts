// Who makes a change: the kind of actor, the credential, the request and the network address.

/**
 * `credential`: `mail_link` is a link from a mail, and `id` says what for. `none`: somebody who could not
 * sign in.
 * `address` is personal, so it is stored where it can be erased. Null: there was no request.
 */
export type Actor = {
  readonly kind: 'person' | 'service_account' | 'operator' | 'command' | 'task' | 'nobody';
  readonly userId: string;
  readonly credential: {
    readonly kind: 'session' | 'token' | 'mail_link' | 'provider' | 'task' | 'command' | 'none';
    readonly id: string;
  };
  readonly requestId: string;
  readonly address: string | null;
};

/** The actor of a change that a scheduled task or the engine makes. */
export const systemActor = (task: string): Actor => ({
  kind: 'task',
  userId: 'system',
  requestId: '',
  address: null,
  credential: { kind: 'task', id: task },
});

/** The actor of a command of the command line, such as `keys rotate`. */
export const commandActor = (command: string): Actor => ({
  kind: 'command',
  userId: 'command line',
  requestId: '',
  address: null,
  credential: { kind: 'command', id: command },
});
