// The configured sign-in providers.
import { mapMicrosoft, mapVerified } from './verified-addresses.ts';

type Client = { clientId: string; clientSecret: string };
export type OidcClient = Client & { issuer: string };

export type Providers = {
  google?: Client | undefined;
  github?: Client | undefined;
  microsoft?: Client | undefined;
  oidc?: OidcClient | undefined;
};

export function socialProviders({ google, github, microsoft }: Providers) {
  return {
    ...(google && {
      google: { ...google, scope: ['openid', 'email', 'profile'], mapProfileToUser: mapVerified },
    }),
    ...(github && { github: { ...github, scope: ['read:user', 'user:email'] } }),
    ...(microsoft && { microsoft: { ...microsoft, mapProfileToUser: mapMicrosoft } }),
  };
}
