// Leases due mails, sends them, and retries failed ones with back-off for three days.
import type { LeasedMail, Outbox } from './store.ts';
import { maxConnections, type Transport } from './transport.ts';

const giveUpAfterMs = 3 * 24 * 60 * 60_000;

export type SenderOptions = {
  outbox: Outbox;
  transport: Transport;
  onFailure: (failure: { mailId?: string; attempts?: number; givenUp?: boolean; error: unknown }) => void;
  pollMs?: number;
};

export function createSender({ outbox, transport, onFailure, pollMs = 5_000 }: SenderOptions) {
  let timer: NodeJS.Timeout | undefined;
  let round: Promise<void> | undefined;
  let wakeRequested = false;
  let stopped = true;

  async function sendDue(): Promise<void> {
    for (;;) {
      const due = await outbox.lease(maxConnections);
      await Promise.all(due.map(sendOne));
      if (stopped || due.length < maxConnections) return;
    }
  }

  async function sendOne({ id, open, attempts, ageMs }: LeasedMail): Promise<void> {
    try {
      await transport.send(open(), id);
      await outbox.remove(id);
    } catch (thrown) {
      const { error, isRefused, isPermanent } = toMailFailure(thrown);
      const givenUp = isPermanent || ageMs > giveUpAfterMs;
      onFailure({ mailId: id, attempts, givenUp, error });
      if (givenUp) await outbox.remove(id);
      // Back-off: 5 s, 10 s, 20 s, ... at most an hour.
      else {
        const afterSeconds = Math.min(3_600, 5 * 2 ** (attempts - 1));
        await outbox.retry(id, afterSeconds, { error: error.message, to: isRefused ? open().to : null });
      }
    }
  }

  function wake(): void {
    wakeRequested = true;
    if (stopped || round) return;
    clearTimeout(timer);
    wakeRequested = false;
    round = sendDue()
      .catch((error) => onFailure({ error }))
      .finally(() => {
        round = undefined;
        if (stopped) return;
        if (wakeRequested) wake();
        else timer = setTimeout(wake, pollMs).unref();
      });
  }

  return {
    start(): void {
      stopped = false;
      wake();
    },
    wake,
    async stop(): Promise<void> {
      stopped = true;
      clearTimeout(timer);
      await round;
      transport.close();
    },
  };
}

/** What nodemailer says: the command that failed, and the code of the answer if the server gave one. */
type SmtpError = { readonly command?: unknown; readonly responseCode?: unknown; readonly response?: unknown };

type MailFailure = {
  /** Without the address, which servers repeat in their answers. */
  readonly error: Error;
  /** The answer is about this mail or its recipient, so other mails can succeed. */
  readonly isRefused: boolean;
  /** A refusal that stays: the same mail would be refused again. */
  readonly isPermanent: boolean;
};

/** Answers to other commands are about the settings. */
const aboutTheMail: readonly unknown[] = ['RCPT TO', 'DATA'];
/** About the settings too (RFC 4954, section 6). */
const signInRequired: readonly unknown[] = [530, 534, 535, 538];

function toMailFailure(thrown: unknown): MailFailure {
  const { command, responseCode, response } = (thrown ?? {}) as SmtpError;
  const isRefused =
    aboutTheMail.includes(command) &&
    typeof responseCode === 'number' &&
    !signInRequired.includes(responseCode);
  const [enhanced = ''] = /(?<=^5\d\d[ -])5\.\d{1,3}\.\d{1,3}(?= )/.exec(String(response)) ?? [];
  // Policy, such as a relay that refuses this sender (RFC 3463, section 3.8), is about the settings.
  const isPolicy = enhanced.startsWith('5.7.');
  if (isRefused && responseCode >= 500 && !isPolicy) {
    const answer = `${responseCode} ${enhanced}`.trim();
    return {
      error: new Error(`The mail server refused the mail: ${answer} (${command})`),
      isRefused,
      isPermanent: true,
    };
  }
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return {
    error: new Error(withoutAddresses(message)),
    isRefused: isRefused && !isPolicy,
    isPermanent: false,
  };
}

const withoutAddresses = (text: string): string =>
  text.replace(/[^\s<>]+/g, (word) => (word.includes('@') ? '(address)' : word)).slice(0, 500);
