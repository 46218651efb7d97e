// Why a mail was not sent, and what may be said about it.

/** What nodemailer says: the command that failed, and the code of the answer if the server gave one. */
type SmtpError = { readonly command?: unknown; readonly responseCode?: unknown; readonly response?: unknown };

export type MailFailure = {
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

export function toMailFailure(thrown: unknown): MailFailure {
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
  text.slice(0, 500).replace(/[^\s<>@]+@[^\s<>@]+/g, '(address)');
