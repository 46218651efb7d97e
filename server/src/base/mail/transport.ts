// Sends mails over SMTP, or writes .eml files when no SMTP server is configured.
import { mkdirSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Mail } from './mail.ts';

/** @throws Error when the server refuses the mail or does not answer in time */
export type Transport = (mail: Mail, id: string) => Promise<void>;

type Options = {
  smtpUrl: string | null;
  from: string;
  outboxDir: string;
  /** Much shorter than the lease of the mail. */
  silenceMs?: number;
};

export function createTransport({ smtpUrl, from, outboxDir, silenceMs = 20_000 }: Options): Transport {
  return smtpUrl === null
    ? createFileTransport(from, outboxDir)
    : createSmtpTransport(smtpUrl, from, silenceMs);
}

/** The Message-ID is the id, so that a mail sent twice is recognised. */
const messageOf = (mail: Mail, id: string, from: string) => ({ ...mail, from, messageId: `<${id}@concord>` });

/** It takes 4 MB, so it is loaded with the first mail. */
const loadNodemailer = async () => (await import('nodemailer')).default;

const optionsOf = (url: string, connectMs: number, silenceMs: number) => ({
  url,
  connectionTimeout: connectMs,
  greetingTimeout: connectMs,
  socketTimeout: silenceMs,
  dnsTimeout: connectMs,
  disableFileAccess: true,
  disableUrlAccess: true,
});

function createSmtpTransport(smtpUrl: string, from: string, silenceMs: number): Transport {
  const options = optionsOf(smtpUrl, 10_000, silenceMs);
  return async (mail, id) => {
    const nodemailer = await loadNodemailer();
    await nodemailer.createTransport(options).sendMail(messageOf(mail, id, from));
  };
}

/** Greets and signs in. Sends nothing. @throws Error when the server refuses or does not answer */
export async function probeServer(smtpUrl: string, silenceMs: number): Promise<void> {
  const nodemailer = await loadNodemailer();
  const transport = nodemailer.createTransport(optionsOf(smtpUrl, silenceMs, silenceMs));
  await transport.verify().finally(() => transport.close());
}

function createFileTransport(from: string, outboxDir: string): Transport {
  const loadComposer = async () =>
    (await loadNodemailer()).createTransport({ streamTransport: true, buffer: true });
  let loaded: ReturnType<typeof loadComposer> | undefined;
  return async (mail, id) => {
    loaded ??= loadComposer().catch((error: unknown) => {
      loaded = undefined;
      throw error;
    });
    const { message } = await (await loaded).sendMail(messageOf(mail, id, from));
    mkdirSync(outboxDir, { recursive: true, mode: 0o700 });
    const file = join(outboxDir, `${id}.eml`);
    await writeFile(`${file}.part`, toEightBit(message as Buffer), { mode: 0o600 });
    await rename(`${file}.part`, file);
  };
}

/** People open the files in an editor, and copy the links. */
function toEightBit(message: Buffer): Buffer {
  const [head, ...parts] = message.toString('latin1').split('Content-Transfer-Encoding: quoted-printable');
  const decoded = parts.map((part) =>
    part
      .replaceAll(/=\r?\n/g, '')
      .replaceAll(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
  );
  return Buffer.from([head, ...decoded].join('Content-Transfer-Encoding: 8bit'), 'latin1');
}
