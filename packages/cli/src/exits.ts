// The exit codes of the program, and the error that ends it with one of them.

/** docs/command-line.md lists these. */
export const exits = {
  done: { code: 0, meaning: 'Done. `listen` and `events tail`: ended by Ctrl-C' },
  failed: { code: 1, meaning: 'The answer is no: a request does not verify, or a check failed' },
  usage: { code: 2, meaning: 'The command line, a file or a setting is wrong' },
  denied: { code: 3, meaning: 'There is no token, or it is not valid or lacks a permission (401, 403)' },
  missing: { code: 4, meaning: 'Not found, or hidden from this token (404)' },
  refused: { code: 5, meaning: 'Concord refused the request (any other 4xx)' },
  unreachable: { code: 6, meaning: 'Concord did not answer, or answered 5xx; the keys could not be fetched' },
  internal: { code: 7, meaning: 'A mistake of this program. Please report it' },
  interrupted: { code: 130, meaning: 'Ended before it was done: by Ctrl-C; 143 by SIGTERM, 129 by SIGHUP' },
} as const;

export type Exit = keyof typeof exits;

/** An answer that another program gave. */
export const misread = () =>
  new CliError('unreachable', 'The answer does not come from Concord. Is the URL right?');

/** Ends the program. The message is for people: what is wrong, and what would be right. */
export class CliError extends Error {
  readonly exit: Exit;

  constructor(exit: Exit, message: string, options?: ErrorOptions) {
    super(message, options);
    this.exit = exit;
  }
}
