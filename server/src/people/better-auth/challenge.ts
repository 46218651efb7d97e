// The challenge of a sign-in that waits for the second factor, in the form in which better-auth makes it.
import { createHmac, randomBytes } from 'node:crypto';
import type { Auth } from './better-auth.ts';

const ofConnection = '2fa-connection-';
/** Whether the sign-in is one by an identity connection, which has a say in its end. */
export const isOfConnection = (identifier: string): boolean => identifier.startsWith(ofConnection);

/** For a sign-in by an identity connection. The token is the identifier with better-auth's signature of a cookie. */
export async function newChallenge(auth: Auth) {
  const { secret } = await auth.$context;
  const identifier = `${ofConnection}${randomBytes(15).toString('base64url')}`;
  const signature = createHmac('sha256', secret).update(identifier).digest('base64');
  return { identifier, twoFactorToken: encodeURIComponent(`${identifier}.${signature}`) };
}
