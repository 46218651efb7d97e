// Words of single sign-on: providers, states, problems, and the pages.
import type { IdentityConnection, VerifiedDomain } from '@concord/client';
import { formatCount } from '../../../format/numbers.ts';
import type { StatusTone } from '../../../ui/text/text.tsx';

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

type State = { readonly tone: StatusTone; readonly label: string };
export function stateOf({ enabled, tested_at }: IdentityConnection): State {
  if (enabled) return { tone: 'good', label: 'On' };
  return { tone: 'neutral', label: tested_at === null ? 'Off, not tested' : 'Off' };
}

export const domainStates: Readonly<Record<VerifiedDomain['status'], State>> = {
  pending: { tone: 'info', label: 'Pending' },
  verified: { tone: 'good', label: 'Verified' },
  lost: { tone: 'bad', label: 'No record' },
};

/** What the last look for the record found, where it is not verified. */
export const checks = {
  missing:
    'The record was not found. A change of the DNS can take an hour to be seen. Some providers add the domain to the name by themselves, so look for it twice in the name.',
  failed: 'The DNS did not answer. Check again in a minute.',
};

export const connectionProblems = {
  connection_needed:
    'Single sign-on is required here, and this is the last connection that is on. Turn another one on, or stop requiring it.',
  limit_reached: 'A partner can have 5 connections. Delete one first.',
};
export const domainProblems = {
  domain_taken:
    'Another partner has verified this domain, and its record is still there. Remove that record from the DNS, then check again: the domain moves here.',
  limit_reached: 'A connection can have 20 domains. Delete one first.',
};

/** Fields in the dialog of a conflict. */
export const connectionFields: Readonly<Record<string, string>> = {
  name: 'Name',
  issuer: 'Issuer',
  client_id: 'Client id',
  authentication: 'Authentication',
  client_secret: 'Client secret',
  admits_new_members: 'New members join',
  terms: 'Terms of new members',
};

export const pageWords = {
  title: 'Single sign-on',
  about: "People of this partner sign in with their company's own identity provider.",
  add: 'Add a connection',
  connections: 'Connections',
  empty:
    'A connection leads people to Microsoft Entra ID, Okta, Google Workspace, Keycloak, or another provider that speaks OpenID Connect. Setting one up takes about ten minutes.',
  guide: 'Read what you need',
  connection: 'Connection',
  state: 'State',
  newMembers: 'New members',
  join: 'Join',
  invited: 'By invitation',
  created: 'Created',
  addSubmit: 'Add the connection',
  added: (name: string) => `${name} is added. Go on with the steps below.`,
  provider: 'Identity provider',
  toClick: 'What to click',
  nameHelp: 'People see it when they sign in.',
};

export const connectionWords = {
  change: 'Change',
  delete: 'Delete',
  authentication: 'Authentication',
  tested: 'Tested',
  notTested: 'Not with these settings',
  id: 'Id',
  deleteTitle: (name: string) => `Delete ${name}?`,
  deleteConfirm: (name: string) => `Delete ${name}`,
  deleteAbout:
    'Its domains and its links to accounts go too. Nobody signs in with it any more: people use their password, or set one with "Forgotten password". The agreements that it made stay.',
  deleted: (name: string) => `${name} is deleted.`,
  changeTitle: (name: string) => `Change ${name}`,
  changeOn:
    'Another issuer or client id turns the connection off until it is tested again. Then everybody signs in anew.',
  changeOff: 'Another issuer or client id has to be tested again.',
  save: 'Save the connection',
  saved: (name: string) => `${name} is saved.`,
  conflict: 'this connection',
  yes: 'Yes',
  no: 'No',
};

export const clientWords = {
  name: 'Name',
  issuer: 'Issuer',
  issuerHelp: 'To the letter, also the slash at its end. Concord reads its discovery document when you save.',
  clientId: 'Client id',
  keyHelp: 'You copy its public half to the provider afterwards. Not for Microsoft Entra ID and Google.',
  secretHelp: 'How Concord proves to the provider that it is this client. Most providers take both.',
  secret: 'Client secret',
  secretStays: 'Empty: the present one stays. It is never shown.',
  secretKept: 'It is kept sealed, and never shown again.',
};

export const atProviderWords = {
  title: '1. Tell the provider about Concord',
  about: 'Copy these to the application that you registered there.',
  toClick: (provider: string) => `What to click: ${provider}`,
  redirect: 'Redirect URI',
  logout: 'Back-channel logout URI, if the provider has a field for it',
  key: 'Public key',
};

export const domainWords = {
  title: '2. Prove your domains',
  about:
    'The connection signs in only people whose address is of a verified domain. A subdomain is a domain of its own.',
  add: 'Add a domain',
  addSubmit: 'Add the domain',
  empty: 'Add the domain of your e-mail addresses.',
  domains: 'Domains',
  domain: 'Domain',
  domainHelp: 'What stands after the @ in your addresses.',
  state: 'State',
  checked: 'Last check',
  check: 'Check now',
  show: 'Show its record',
  delete: 'Delete',
  added: (domain: string) => `${domain} is added. Publish its record next.`,
  verified: (domain: string) => `${domain} is verified.`,
  record: (domain: string) => `The record of ${domain}`,
  deleteTitle: (domain: string) => `Delete ${domain}?`,
  deleteConfirm: 'Delete the domain',
  deleteAbout:
    'People with its addresses cannot sign in with the connection any more. Their agreements stay.',
  deleted: (domain: string) => `${domain} is deleted.`,
  missing: (domain: string) => `The record of ${domain} is missing`,
  missingAbout: (until: string) =>
    `People who have access keep it, and nobody new joins. Restore the record before ${until}. Afterwards the domain is not verified any more.`,
  proves: 'This TXT record proves ',
  publish: 'Publish this TXT record to prove ',
  stays: '. It must stay.',
  recordName: (domain: string) => `Name, for ${domain}`,
  recordValue: (domain: string) => `Value, for ${domain}`,
};

export const testWords = {
  title: '3. Test it, and turn it on',
  about: 'The test is a real sign-in: you go to the provider, and come back here. Your session stays yours.',
  test: 'Test the connection',
  again: 'Test it again',
  turnOn: 'Turn on',
  turnOff: 'Turn off',
  on: (name: string) => `${name} is on. The sign-in page leads people of its domains there.`,
  off: (name: string) => `${name} is off.`,
  offTitle: (name: string) => `Turn ${name} off?`,
  offAbout:
    'People sign in with a password or another provider until it is on again. Its proofs end at once.',
  domainFirst: 'Verify a domain first.',
  testFirst: 'Test it with an account of a verified domain.',
  passed: 'The test has passed. You can turn it on.',
};

export const memberWords = {
  title: 'New members',
  about:
    'You answer for these terms: nobody gets more than you may grant yourself at the moment of the sign-in.',
  save: 'Save the terms',
  admits: 'People of the verified domains become members at their first sign-in',
  anybody:
    'Anybody to whom the provider gives Concord joins. With a provisioning token, the directory decides instead.',
  others: 'Others need an invitation.',
  groupsHelp: 'Of new members. Those who have access already keep what they have.',
  days: 'Access ends after',
  daysHelp: 'In days. Empty: it does not end.',
  factor: 'Require a second factor at Concord',
  factorHelp: 'In addition to what the identity provider asks for.',
};

export const provisioningWords = {
  title: 'Provisioning',
  about: 'The directory of the company creates people here, and ends their access (SCIM 2.0).',
  toClick: 'What to click',
  create: 'Create the token',
  empty: 'Give the directory a token, and it keeps the people of the company up to date.',
  secret: 'The token of the directory',
  secretAbout: 'Enter it at the directory, with the base URL.',
  replaceTitle: 'Create a new token?',
  replace: 'Create a new token',
  replaceAbout: 'The present token stops working at once. Have the directory at hand to enter the new one.',
  revokeTitle: 'Revoke the token of the directory?',
  revoke: 'Revoke the token',
  revokeAbout: 'The directory changes nothing here any more. People keep the access that they have.',
  revoked: 'The token of the directory is revoked.',
  url: 'Base URL',
  token: 'Token',
  none: 'None',
  used: 'Last used',
  never: 'Never',
  people: 'People',
  active: (all: string, active: string) => `${all}, ${active} active`,
  groups: 'Groups',
  without: (count: string) => `Active people without access: ${count}`,
  withoutAbout:
    'No address of theirs is of a verified domain. Verify the domain, or map their address at the directory.',
  noRequests: 'The directory has sent no request yet.',
  requests: 'Last requests of the directory',
  request: 'Last requests',
  answer: 'Answer',
  time: 'Time',
};

export const directoryWords = {
  groups: 'Groups of the directory',
  group: 'Group of the directory',
  empty: 'The directory has no groups here.',
  choose: 'Choose what it gives',
  gives: 'Gives',
  nothing: 'Nothing',
  people: 'People',
  title: (name: string) => `What ${name} gives`,
  about: 'You answer for it: nobody gets more than you may grant yourself.',
  save: 'Save',
  saved: (name: string) => `What ${name} gives is saved.`,
  mapped: 'Group',
  help: (count: number, name: string) =>
    `${formatCount(count, 'person has', 'people have')} it from now on, and no longer what ${name} gave before.`,
};
