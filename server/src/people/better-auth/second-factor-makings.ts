// What we make in the form of better-auth, which checks it: challenges of sign-ins, apps, and backup codes.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { generateRandomString, symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto';
import type { Auth } from './better-auth.ts';

const ofConnection = '2fa-connection-';
/** Whether the sign-in is one by an identity connection, which has a say in its end. */
export const isOfConnection = (identifier: string) => identifier.startsWith(ofConnection);

/**
 * For a sign-in by an identity connection that waits for the second factor. The token is the identifier with
 * better-auth's signature of a cookie.
 */
export async function newChallenge(auth: Auth) {
  const { secret } = await auth.$context;
  const identifier = `${ofConnection}${randomBytes(15).toString('base64url')}`;
  const signature = createHmac('sha256', secret).update(identifier).digest('base64');
  return { identifier, twoFactorToken: encodeURIComponent(`${identifier}.${signature}`) };
}

/** `sealed`: for the row of the user. */
export type NewApp = {
  secret: string;
  backupCodes: string[];
  sealed: { backupCodes: string; secret: string };
};
const amount = 10;

/** Passkeys need its backup codes. Nobody learns its secret then, so no app has codes of it. */
export async function newApp(auth: Auth): Promise<NewApp> {
  const { secretConfig: key } = await auth.$context;
  const seal = (data: string) => symmetricEncrypt({ key, data });
  const half = () => generateRandomString(5, 'a-z', '0-9', 'A-Z');
  const backupCodes = Array.from({ length: amount }, () => `${half()}-${half()}`);
  const secret = generateRandomString(32);
  return {
    secret,
    backupCodes,
    sealed: { backupCodes: await seal(JSON.stringify(backupCodes)), secret: await seal(secret) },
  };
}

/** What authenticator apps read from a QR code. */
export function toTotpUri(secret: string, email: string) {
  const bits = Array.from(Buffer.from(secret), (byte) => byte.toString(2).padStart(8, '0')).join('');
  const base32 = bits.replace(
    /.{1,5}/g,
    (five) => base32Letters[Number.parseInt(five.padEnd(5, '0'), 2)] ?? '',
  );
  return `otpauth://totp/Concord:${encodeURIComponent(email)}?secret=${base32}&issuer=Concord&digits=6&period=30`;
}
const base32Letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

const stepMs = 30_000;
/** Whether the app shows this code (RFC 6238) in this step, or the one before or after it. */
export async function isCodeOf(auth: Auth, sealedSecret: string, code: string): Promise<boolean> {
  const { secretConfig: key } = await auth.$context;
  const secret = await symmetricDecrypt({ key, data: sealedSecret });
  const step = Math.floor(Date.now() / stepMs);
  const sent = Buffer.from(code);
  return [step - 1, step, step + 1].some((counter) => {
    const shown = Buffer.from(codeAt(secret, counter));
    return shown.length === sent.length && timingSafeEqual(shown, sent);
  });
}

function codeAt(secret: string, counter: number): string {
  const message = Buffer.alloc(8);
  message.writeBigUInt64BE(BigInt(counter));
  const mac = createHmac('sha1', secret).update(message).digest();
  const truncated = mac.readUInt32BE((mac.at(-1) ?? 0) & 15) & 0x7fff_ffff;
  return String(truncated % 1_000_000).padStart(6, '0');
}
