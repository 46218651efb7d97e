// The configured sign-in providers. Linking to an existing user requires an address that both sides have verified.
import { genericOAuth } from 'better-auth/plugins/generic-oauth';

type Client = { clientId: string; clientSecret: string };

export type Providers = {
  google?: Client | undefined;
  github?: Client | undefined;
  microsoft?: Client | undefined;
  oidc?: (Client & { issuer: string }) | undefined;
};

export function socialProviders({ google, github, microsoft }: Providers) {
  return {
    ...(google && { google: { ...google, scope: ['openid', 'email', 'profile'] } }),
    ...(github && { github: { ...github, scope: ['read:user', 'user:email'] } }),
    ...(microsoft && { microsoft }),
  };
}

export function oidcProvider({ oidc }: Providers) {
  const { issuer, ...client } = oidc ?? { issuer: '' };
  const config = oidc
    ? [
        {
          providerId: 'oidc',
          ...client,
          clientId: oidc.clientId,
          discoveryUrl: `${issuer}/.well-known/openid-configuration`,
          scopes: ['openid', 'email', 'profile'],
          pkce: true,
        },
      ]
    : [];
  return genericOAuth({ config });
}
