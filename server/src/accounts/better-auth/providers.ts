// The configured sign-in providers.
import { genericOAuth } from 'better-auth/plugins/generic-oauth';
import { mapMicrosoft, mapVerified } from './verified-addresses.ts';

type Client = { clientId: string; clientSecret: string };

export type Providers = {
  google?: Client | undefined;
  github?: Client | undefined;
  microsoft?: Client | undefined;
  oidc?: (Client & { issuer: string }) | undefined;
};

export function socialProviders({ google, github, microsoft }: Providers) {
  return {
    ...(google && { google: { ...google, scope: ['openid', 'email', 'profile'], mapProfileToUser: mapVerified } }),
    ...(github && { github: { ...github, scope: ['read:user', 'user:email'] } }),
    ...(microsoft && { microsoft: { ...microsoft, mapProfileToUser: mapMicrosoft } }),
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
          mapProfileToUser: mapVerified,
        },
      ]
    : [];
  return genericOAuth({ config });
}
