// What we make in the form of better-auth, which checks it: challenges of sign-ins, apps, and backup codes.
import { createHmac, randomBytes } from 'node:crypto';
import { createOTP } from '@better-auth/utils/otp';
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

const app = (secret: string) => createOTP(secret, { digits: 6, period: 30 });

/** What authenticator apps read from a QR code. */
export const toTotpUri = (secret: string, email: string): string => app(secret).url('Concord', email);

/** Whether the app shows this code (RFC 6238) in this step, or the one before or after it. */
export async function isCodeOf(auth: Auth, sealedSecret: string, code: string): Promise<boolean> {
  const { secretConfig: key } = await auth.$context;
  return app(await symmetricDecrypt({ key, data: sealedSecret })).verify(code);
}
