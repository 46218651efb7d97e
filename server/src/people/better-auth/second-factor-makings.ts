// What we make in the form of better-auth, which checks it: challenges of sign-ins, and backup codes.
import { createHmac, randomBytes } from 'node:crypto';
import { generateRandomString, symmetricEncrypt } from 'better-auth/crypto';
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

/** `sealed`: for the row of a user whose second factors are passkeys. */
export type NewBackupCodes = { backupCodes: string[]; sealed: { backupCodes: string; secret: string } };
const amount = 10;

/** Nobody learns the secret, so no app has codes of it. */
export async function newBackupCodes(auth: Auth): Promise<NewBackupCodes> {
  const { secretConfig: key } = await auth.$context;
  const seal = (data: string) => symmetricEncrypt({ key, data });
  const half = () => generateRandomString(5, 'a-z', '0-9', 'A-Z');
  const codes = Array.from({ length: amount }, () => `${half()}-${half()}`);
  return {
    backupCodes: codes,
    sealed: { backupCodes: await seal(JSON.stringify(codes)), secret: await seal(generateRandomString(32)) },
  };
}
