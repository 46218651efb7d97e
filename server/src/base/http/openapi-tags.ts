// The groups of operations in the description.
import type { Json } from './openapi-schemas.ts';

const descriptions = {
  'Sign-in': 'Sign up, sign in, confirm addresses, reset passwords, and sign in with other providers.',
  Account:
    'The caller: the profile, the password, the sessions, the linked accounts, and the data that Concord keeps.',
  'Second factor': 'Codes of an authenticator app, backup codes, and the proof that some actions require.',
  Users: 'The people with an account. Only operators use these operations.',
  'Access tokens': 'Personal access tokens: what programs of a person send instead of a session token.',
  Partners: 'Businesses, with their contact, billing and support details.',
  Agreements: 'What gives a person access to a partner: an owner flag, permissions, and an optional end.',
  Invitations: 'Agreements that the invited person has not accepted yet.',
  'Permission groups': 'Named sets of permissions that agreements can refer to.',
  'Service accounts': 'Programs with access to a partner, and their access tokens.',
  'Signing keys': 'The keys that sign webhooks, and their publication as JWKS.',
  'Webhook endpoints':
    'The URLs that receive webhooks, their tests, and help with receivers that refuse webhooks.',
  'Event types': 'The kinds of events, with a JSON Schema for the data of each.',
  Events: 'Publish events, and read the feed of a partner.',
  Deliveries: 'Events on their way to endpoints, their attempts, and replays.',
  Statistics: 'Counts of attempts and their latency, for a period.',
  Search: 'Find partners, people, endpoints, events and deliveries.',
  'Audit log': 'Who changed what, and when, in a log that shows when it was altered.',
  Evaluations: 'Answers to "may this person do this?" for other programs (OpenID AuthZEN).',
  Platform: 'The state of the installation, for operators and monitors.',
  Health: 'Whether the process is alive, and can serve requests.',
  Webhooks: 'The requests that Concord sends to endpoints.',
} as const;

/** @throws Error when an operation has a tag that is not described here */
export function describeTags(operations: readonly Json[]): { name: string; description: string }[] {
  const known = Object.entries(descriptions).map(([name, description]) => ({ name, description }));
  for (const { operationId, tags } of operations)
    for (const tag of (tags ?? []) as string[])
      if (!known.some(({ name }) => name === tag))
        throw new Error(`${operationId} has the tag ${tag}: describe it in openapi-tags.ts`);
  return known;
}
