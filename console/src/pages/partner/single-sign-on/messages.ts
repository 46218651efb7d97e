// Words of single sign-on: providers, states, problems, and the pages.
import type { IdentityConnection } from '@concord/client';
import type { State } from '#messages/state.ts';

type Provider = {
  readonly id: string;
  readonly name: string;
  /** As its issuers look. */
  readonly issuer: string;
  /** The same for all companies. */
  readonly isShared?: true;
  readonly about: string;
  /** Below /docs/. */
  readonly guide: string;
};

export const providers: readonly [Provider, ...Provider[]] = [
  {
    id: 'entra',
    name: 'Microsoft Entra ID',
    issuer: 'https://login.microsoftonline.com/TENANT-ID/v2.0',
    about:
      'Under App registrations, register a web application for this tenant only. Add the optional claim "email" to the ID token.',
    guide: 'identity/entra.md',
  },
  {
    id: 'okta',
    name: 'Okta',
    issuer: 'https://COMPANY.okta.com',
    about: 'Under Applications, create an OIDC integration for a web application.',
    guide: 'identity/okta.md',
  },
  {
    id: 'google',
    name: 'Google Workspace',
    issuer: 'https://accounts.google.com',
    isShared: true,
    about:
      'In Google Auth Platform, set the audience to Internal, and create a client for a web application. With External, strangers could sign in.',
    guide: 'identity/google-workspace.md',
  },
  {
    id: 'keycloak',
    name: 'Keycloak',
    issuer: 'https://id.example.com/realms/REALM',
    about: 'In the realm, create a client with client authentication and the standard flow.',
    guide: 'identity/keycloak.md',
  },
  {
    id: 'other',
    name: 'Another provider',
    issuer: 'https://id.example.com',
    about:
      'Register a web application for OpenID Connect with the authorization code flow. SAML does not work.',
    guide: 'identity.md',
  },
];

const hosts: readonly (readonly [RegExp, string])[] = [
  [/^https:\/\/login\.microsoftonline\./, 'entra'],
  [/^https:\/\/[^/]+\.okta(preview)?\.com/, 'okta'],
  [/^https:\/\/accounts\.google\.com/, 'google'],
  [/\/realms\/[^/]+$/, 'keycloak'],
];
/** A guess, for the guide. */
export function providerOf(issuer: string): Provider {
  const id = hosts.find(([host]) => host.test(issuer))?.[1] ?? 'other';
  return providers.find((provider) => provider.id === id) ?? providers[0];
}

export const authentications: Readonly<Record<IdentityConnection['authentication'], string>> = {
  client_secret_basic: 'Client secret, in a header',
  client_secret_post: 'Client secret, in the body',
  private_key_jwt: 'Private key that Concord makes',
};

export function stateOf({ enabled, tested_at }: IdentityConnection): State {
  if (enabled) return { tone: 'good', label: 'On' };
  return { tone: 'neutral', label: tested_at === null ? 'Off, not tested' : 'Off' };
}

/** By the last check of the record. */
export const checks = {
  missing:
    'The record was not found. A change of DNS can take an hour to become visible. Some providers append the domain to the name, so check that the name does not have it twice.',
  failed: 'DNS did not answer. Check again in a minute.',
};

export const connectionProblems = {
  connection_needed:
    'Single sign-on is required here, and this is the last connection that is on. Turn another one on, or stop requiring it.',
};
