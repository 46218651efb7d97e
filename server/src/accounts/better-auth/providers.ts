// The configured sign-in providers. Linking to an existing user requires an address that both sides have verified.

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
    ...(google && { google: { ...google, scope: ['openid', 'email', 'profile'] } }),
    ...(github && { github: { ...github, scope: ['read:user', 'user:email'] } }),
    ...(microsoft && { microsoft }),
  };
}
