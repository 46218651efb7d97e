// A real SMTP server that keeps every mail and can fail, stall and recover.
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, expect } from 'vitest';
import { useCast } from './cast.ts';
import type { TestService } from './start-service.ts';

type Mailbox = Awaited<ReturnType<typeof startMailbox>>;

/** Opens a mailbox before the tests of the file and closes it after them. */
export function useMailbox() {
  const mailbox = {} as Mailbox;
  beforeAll(async () => void Object.assign(mailbox, await startMailbox()));
  afterAll(() => mailbox.close());
  return mailbox;
}

/** A service that sends its mails to a mailbox, and people for it. */
export function useMailed(environment: Record<string, string> = {}) {
  const mailbox = useMailbox();
  return { mailbox, ...useCast(() => ({ CONCORD_SMTP_URL: mailbox.url, ...environment })) };
}

export async function startMailbox() {
  const received: Email[] = [];
  let waiting: (() => void)[] = [];
  let mode: 'up' | 'refusing' | 'stalling' | 'one for each connection' = 'up';
  /** Answers to RCPT TO by address. */
  const refusals = new Map<string, { code: number; text: string }>();
  let attempts = 0;
  const sockets: Socket[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onMailFrom(_address, { transaction }, callback) {
      if (mode !== 'one for each connection' || transaction === 1) return callback();
      callback(Object.assign(new Error('Connect again'), { responseCode: 421 }));
    },
    onRcptTo({ address }, _session, callback) {
      const refusal = refusals.get(address);
      callback(refusal && Object.assign(new Error(refusal.text), { responseCode: refusal.code }));
    },
    onData(stream, _session, callback) {
      attempts++;
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', async () => {
        if (mode === 'stalling') return; // the client gets no answer
        if (mode === 'refusing')
          return callback(Object.assign(new Error('Try again later'), { responseCode: 451 }));
        received.push(await PostalMime.parse(Buffer.concat(chunks)));
        callback();
        for (const wake of waiting) wake();
        waiting = [];
      });
    },
  });
  server.server.on('connection', (socket) => sockets.push(socket));
  server.on('error', () => {});
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;

  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    attempts: () => attempts,
    /** Every connection that was opened. */
    sockets,
    refusals,
    set(next: typeof mode) {
      mode = next;
    },
    /** What has arrived for this address, and nobody has removed. */
    to: (address: string) => received.filter((mail) => mail.to?.[0]?.address === address),
    /** Waits for the next mail to this address and removes it. */
    async next(to: string, subject?: string) {
      for (;;) {
        const index = received.findIndex(
          (mail) => mail.to?.[0]?.address === to && (subject === undefined || mail.subject === subject),
        );
        if (index >= 0) return received.splice(index, 1)[0]!;
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
    },
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  };
}

export const untilSent = ({ sql }: Pick<TestService, 'sql'>) =>
  expect.poll(() => sql('select from mail')).toEqual([]);

/** The token in the link of an account mail. */
export function tokenIn(mail: Email) {
  const text = mail.text ?? '';
  const token = /#token=(\S+)/.exec(text)?.[1];
  if (token === undefined) throw new Error(`No token in:\n${text}`);
  return token;
}
