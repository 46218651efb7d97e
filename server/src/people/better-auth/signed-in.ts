// The answer of a sign-in: a token, or a challenge for the second factor.
import type { SignedIn } from '../schema.ts';
import type { BridgeAnswer } from './bridge.ts';

export function toSignedIn({ body, sessionToken, twoFactorToken, trustDeviceToken }: BridgeAnswer): SignedIn {
  if (body.twoFactorRedirect === true)
    return { twoFactorRedirect: true, twoFactorToken: required(twoFactorToken) };
  const { id, email, name } = body.user as NonNullable<SignedIn['user']>;
  return {
    // The new session comes first: the token in the body of better-auth may belong to a deleted session.
    token: sessionToken ?? String(body.token),
    user: { id, email, name },
    ...(trustDeviceToken !== undefined && { trustDeviceToken }),
  };
}

export function required(token: string | undefined): string {
  if (token === undefined) throw new Error('better-auth answered without a token');
  return token;
}
