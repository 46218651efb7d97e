// The answer of a sign-in: a token, or a challenge for the second factor.
import type { BridgeAnswer } from './bridge.ts';

type User = { id: string; email: string; name: string };

export type SignedIn = {
  token?: string;
  user?: User;
  linked?: true;
  trustDeviceToken?: string;
  twoFactorRedirect?: true;
  twoFactorToken?: string;
};

export function toSignedIn({ body, sessionToken, twoFactorToken, trustDeviceToken }: BridgeAnswer): SignedIn {
  if (body.twoFactorRedirect === true)
    return { twoFactorRedirect: true, twoFactorToken: required(twoFactorToken) };
  const { id, email, name } = body.user as User;
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
