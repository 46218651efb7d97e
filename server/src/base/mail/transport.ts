// Sends mails over SMTP, or writes .eml files when no SMTP server is configured.
import { mkdirSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Transporter } from 'nodemailer';
import type { Mail } from './mail.ts';

export type Transport = {
  /** @throws Error when the server refuses the mail or does not answer in time */
  send(mail: Mail, id: string): Promise<void>;
  close(): void;
};

/** A sender has as many mails under way, so that none of them waits for a connection. */
export const maxConnections = 10;

export type TransportOptions = {
  /** Null: mails are written as files into `outboxDir`. */
  smtpUrl: string | null;
  from: string;
  outboxDir: string;
  /** Much shorter than the lease of the mail. */
  silenceMs?: number;
};

export function createTransport({
  smtpUrl,
  from,
  outboxDir,
  silenceMs = 20_000,
}: TransportOptions): Transport {
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

const idleMs = 1_000;

/** Many mails share connections. One that has no mail for a second ends, so that no server or firewall ends it. */
function createSmtpTransport(smtpUrl: string, from: string, silenceMs: number): Transport {
  const options = {
    ...optionsOf(smtpUrl, 10_000, silenceMs),
    pool: true,
    maxConnections,
    maxMessages: 20,
    idleTimeout: idleMs,
  } as const;
  let pool: Transporter | undefined;
  let underWay = 0;
  let usedAtMs = 0;
  return {
    async send(mail, id) {
      const nodemailer = await loadNodemailer();
      // A server that does not answer QUIT keeps connections of the pool until `silenceMs`.
      if (underWay === 0 && performance.now() - usedAtMs > idleMs) {
        pool?.close();
        pool = undefined;
      }
      pool ??= nodemailer.createTransport(options);
      underWay++;
      await pool.sendMail(messageOf(mail, id, from)).finally(() => {
        underWay--;
        usedAtMs = performance.now();
      });
    },
    close: () => pool?.close(),
  };
}

/** Greets and signs in. Sends nothing. @throws Error when the server refuses or does not answer */
export async function probeServer(smtpUrl: string, silenceMs: number): Promise<void> {
  const nodemailer = await loadNodemailer();
  const transport = nodemailer.createTransport(optionsOf(smtpUrl, silenceMs, silenceMs));
  await transport.verify().finally(() => transport.close());
}

function createFileTransport(from: string, outboxDir: string): Transport {
  let composer: Transporter<{ message: unknown }> | undefined;
  return {
    async send(mail, id) {
      const nodemailer = await loadNodemailer();
      composer ??= nodemailer.createTransport({ streamTransport: true, buffer: true });
      const { message } = await composer.sendMail(messageOf(mail, id, from));
      mkdirSync(outboxDir, { recursive: true, mode: 0o700 });
      const file = join(outboxDir, `${id}.eml`);
      await writeFile(`${file}.part`, toEightBit(message as Buffer), { mode: 0o600 });
      await rename(`${file}.part`, file);
    },
    close() {},
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
