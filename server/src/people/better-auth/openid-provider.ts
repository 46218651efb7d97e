// The OpenID Connect provider, which joins the other providers when it is discovered.
import { genericOAuth } from 'better-auth/plugins/generic-oauth';
import type { Auth, OidcClient, Providers } from './better-auth.ts';
import { createDiscovery } from './discovery.ts';
import { mapVerified } from './verified-addresses.ts';

/** @throws ServiceError provider_unavailable when the provider must be discovered first, and is away */
type PrepareProvider = (provider: string) => Promise<void>;

type Options = { auth: Auth; providers: Providers; onFailure: (error: unknown) => void };

/**
 * As a plug-in of better-auth, the provider would be asked once, at start, and every sign-in would wait for
 * it.
 */
export function createPrepareProvider({ auth, providers: { oidc }, onFailure }: Options): PrepareProvider {
  if (!oidc) return async () => {};
  const use = (discoveryUrl: string) => addProvider(auth, oidc, discoveryUrl);
  const discover = createDiscovery({ issuer: oidc.issuer, use, onFailure });
  return async (provider) => {
    if (provider === providerId) await discover();
  };
}

const providerId = 'oidc';

type Context = Parameters<ReturnType<typeof genericOAuth>['init']>[0];

async function addProvider(auth: Auth, { clientId, clientSecret }: OidcClient, discoveryUrl: string) {
  // Its options are narrower than those that a plug-in accepts; a plug-in gets this same object.
  const context = (await auth.$context) as unknown as Context;
  const scopes = ['openid', 'email', 'profile'];
  const client = {
    providerId,
    clientId,
    clientSecret,
    discoveryUrl,
    scopes,
    pkce: true,
    mapProfileToUser: mapVerified,
  };
  const made = await genericOAuth({ config: [client] }).init(context);
  const provider = made.context.socialProviders.find(({ id }) => id === providerId);
  if (!provider)
    throw new Error('better-auth does not accept the discovery document of the OpenID Connect provider');
  // An earlier attempt may have succeeded after its time.
  if (!context.socialProviders.some(({ id }) => id === providerId)) context.socialProviders.push(provider);
}
