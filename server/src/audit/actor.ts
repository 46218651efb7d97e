// Who makes a change: the kind of actor, the credential, the request and the network address.

/**
 * `connection`: the directory of a company, by provisioning. `mail_link`: a link from a mail, `id` says what
 * for. `none`: a failed sign-in. `address` is personal, so it can be erased. Null: no request.
 */
export type Actor = {
  readonly kind: 'person' | 'service_account' | 'operator' | 'connection' | 'command' | 'task' | 'nobody';
  readonly userId: string;
  readonly credential: {
    readonly kind:
      | 'session'
      | 'token'
      | 'provisioning_token'
      | 'mail_link'
      | 'provider'
      | 'task'
      | 'command'
      | 'none';
    readonly id: string;
  };
  readonly requestId: string;
  readonly address: string | null;
};

export const systemActor = (task: string): Actor => ({
  kind: 'task',
  userId: 'system',
  requestId: '',
  address: null,
  credential: { kind: 'task', id: task },
});

export const commandActor = (command: string): Actor => ({
  kind: 'command',
  userId: 'command line',
  requestId: '',
  address: null,
  credential: { kind: 'command', id: command },
});
