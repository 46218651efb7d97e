// Every screen of the console: where it is, who can see it, and its heading. A new screen gets a row here,
// and with it every test.
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { type Role, roles, type World } from './world.ts';

export type Screen = {
  /** Unique. Pictures are named after it. */
  name: string;
  /** Below /console. */
  path: (world: World) => string;
  /** A heading can name the thing that is shown. */
  heading: string | ((world: World, role: Role) => string);
  /** `public`: people who are not signed in. The others are told what they lack. */
  sees: readonly Role[] | 'public';
};

const among = (...seeing: Role[]): readonly Role[] => seeing;

const rulers = among('operator', 'owner');
const integrators = among('operator', 'owner', 'viewer');
const webhookScreens: readonly Screen[] = [
  {
    name: 'endpoints',
    path: ({ partner }) => `/p/${partner}/webhooks/endpoints`,
    heading: 'Endpoints',
    sees: integrators,
  },
  {
    name: 'endpoints-of-an-empty-partner',
    path: ({ empty }) => `/p/${empty}/webhooks/endpoints`,
    heading: 'Endpoints',
    sees: among('operator', 'owner'),
  },
  {
    name: 'endpoint',
    path: ({ partner, endpoints }) => `/p/${partner}/webhooks/endpoints/${endpoints.failing}`,
    heading: ({ failingUrl }) => failingUrl,
    sees: integrators,
  },
  {
    name: 'checkpoint',
    path: ({ checkpoint }) => checkpoint,
    heading: 'Checkpoint',
    sees: among('operator', 'owner'),
  },
  {
    name: 'deliveries',
    path: ({ partner }) => `/p/${partner}/webhooks/deliveries`,
    heading: 'Deliveries',
    sees: integrators,
  },
  {
    name: 'delivery',
    path: ({ partner, delivery }) => `/p/${partner}/webhooks/deliveries/${delivery}`,
    heading: 'inventory.updated',
    sees: integrators,
  },
  {
    name: 'events',
    path: ({ partner }) => `/p/${partner}/webhooks/events`,
    heading: 'Events',
    sees: integrators,
  },
  {
    name: 'event',
    path: ({ partner, event }) => `/p/${partner}/webhooks/events/${event}`,
    heading: 'inventory.updated',
    sees: integrators,
  },
  {
    name: 'event-types',
    path: ({ partner }) => `/p/${partner}/webhooks/event-types`,
    heading: 'Event types',
    sees: roles,
  },
  {
    name: 'event-type',
    path: ({ partner }) => `/p/${partner}/webhooks/event-types/inventory.updated`,
    heading: 'inventory.updated',
    sees: roles,
  },
  {
    name: 'verify-request',
    path: ({ partner }) => `/p/${partner}/webhooks/verify`,
    heading: 'Verify a request',
    sees: roles,
  },
  {
    name: 'quickstart',
    path: ({ partner }) => `/p/${partner}/webhooks/quickstart`,
    heading: 'Quickstart',
    sees: integrators,
  },
];

export const screens: readonly Screen[] = [
  // Without a session.
  { name: 'sign-in', path: () => '/sign-in', heading: 'Sign in', sees: 'public' },
  { name: 'sign-up', path: () => '/sign-up', heading: 'Create an account', sees: 'public' },
  { name: 'forgot', path: () => '/forgot', heading: 'Forgotten password', sees: 'public' },
  {
    name: 'reset',
    path: () => '/reset#token=a',
    heading: 'This link does not work any more',
    sees: 'public',
  },
  { name: 'reset-without-token', path: () => '/reset', heading: 'Set a new password', sees: 'public' },
  { name: 'verify', path: () => '/verify#token=a', heading: 'Confirm your e-mail address', sees: 'public' },
  { name: 'delete', path: () => '/delete#token=a', heading: 'Delete your account', sees: 'public' },
  {
    name: 'provider-return',
    path: () => '/provider-return#error=a',
    heading: 'You are not signed in',
    sees: 'public',
  },
  {
    name: 'connection-return',
    path: () => '/connection-return#error=a',
    heading: 'The identity provider did not sign you in',
    sees: 'public',
  },
  {
    name: 'connection-link',
    path: () => '/connection-return#link=a',
    heading: 'Link your account',
    sees: 'public',
  },
  { name: 'setup-without-link', path: () => '/setup', heading: 'Set up Concord', sees: 'public' },
  { name: 'setup', path: () => '/setup#a', heading: 'Set up Concord', sees: 'public' },
  {
    name: 'invitation-without-link',
    path: ({ agreements }) => `/invitations/${agreements.invitee}`,
    heading: 'Your invitation',
    sees: 'public',
  },
  {
    name: 'invitation-with-a-dead-link',
    path: ({ agreements }) => `/invitations/${agreements.invitee}#a`,
    heading: 'This link does not work',
    sees: 'public',
  },
  { name: 'missing', path: () => '/no-such-page', heading: 'This page does not exist', sees: 'public' },
  // Everybody.
  {
    name: 'home',
    path: () => '/',
    heading: ({ people }, role) => `Hello, ${people[role].name}`,
    sees: roles,
  },
  { name: 'account', path: () => '/account', heading: 'Your account', sees: roles },
  { name: 'account-sign-in', path: () => '/account/sign-in', heading: 'Your account', sees: roles },
  { name: 'account-sessions', path: () => '/account/sessions', heading: 'Your account', sees: roles },
  { name: 'account-tokens', path: () => '/account/tokens', heading: 'Your account', sees: roles },
  { name: 'device', path: () => '/device', heading: 'Connect a program', sees: roles },
  // A partner.
  {
    name: 'people',
    path: ({ partner }) => `/p/${partner}/people`,
    heading: 'People',
    sees: among('operator', 'owner', 'viewer', "service account's owner"),
  },
  {
    name: 'overview',
    path: ({ partner }) => `/p/${partner}`,
    heading: 'Nordlys Energi AS',
    sees: among('operator', 'owner', 'viewer', 'member without permissions', "service account's owner"),
  },
  {
    name: 'overview-of-an-empty-partner',
    path: ({ empty }) => `/p/${empty}`,
    heading: 'Tomrom AS',
    sees: rulers,
  },
  {
    name: 'invitations',
    path: ({ partner }) => `/p/${partner}/people?state=pending`,
    heading: 'People',
    sees: among('operator', 'owner', 'viewer', "service account's owner"),
  },
  {
    name: 'person',
    path: ({ partner, agreements }) => `/p/${partner}/people/${agreements.viewer}`,
    heading: ({ people }) => people.viewer.name,
    sees: among('operator', 'owner', 'viewer', "service account's owner"),
  },
  {
    name: 'access-requests',
    path: ({ partner }) => `/p/${partner}/access-requests`,
    heading: 'Access requests',
    sees: among('operator', 'owner', 'viewer', 'member without permissions', "service account's owner"),
  },
  {
    name: 'access-reviews',
    path: ({ partner }) => `/p/${partner}/access-reviews`,
    heading: 'Access reviews',
    sees: rulers,
  },
  {
    name: 'access-reviews-of-an-empty-partner',
    path: ({ empty }) => `/p/${empty}/access-reviews`,
    heading: 'Access reviews',
    sees: rulers,
  },
  {
    name: 'access-review',
    path: ({ partner, review }) => `/p/${partner}/access-reviews/${review}`,
    heading: 'Access review',
    sees: rulers,
  },
  {
    name: 'groups',
    path: ({ partner }) => `/p/${partner}/groups`,
    heading: 'Groups',
    sees: among('operator', 'owner', 'viewer'),
  },
  {
    name: 'group',
    path: ({ partner, group }) => `/p/${partner}/groups/${group}`,
    heading: 'Warehouse integrations',
    sees: among('operator', 'owner', 'viewer'),
  },
  {
    name: 'profile',
    path: ({ partner }) => `/p/${partner}/profile`,
    heading: 'Profile',
    sees: among('operator', 'owner', 'viewer', "service account's owner"),
  },
  {
    name: 'service-accounts',
    path: ({ partner }) => `/p/${partner}/service-accounts`,
    heading: 'Service accounts',
    sees: rulers,
  },
  {
    name: 'service-accounts-of-an-empty-partner',
    path: ({ empty }) => `/p/${empty}/service-accounts`,
    heading: 'Service accounts',
    sees: rulers,
  },
  {
    name: 'service-account',
    path: ({ partner, serviceAccount }) => `/p/${partner}/service-accounts/${serviceAccount}`,
    heading: 'Stock exporter',
    sees: rulers,
  },
  {
    name: 'single-sign-on',
    path: ({ partner }) => `/p/${partner}/single-sign-on`,
    heading: 'Single sign-on',
    sees: rulers,
  },
  {
    name: 'single-sign-on-of-an-empty-partner',
    path: ({ empty }) => `/p/${empty}/single-sign-on`,
    heading: 'Single sign-on',
    sees: rulers,
  },
  {
    name: 'connection',
    path: ({ partner, connection }) => `/p/${partner}/single-sign-on/${connection}`,
    heading: 'Nordlys Entra ID',
    sees: rulers,
  },
  { name: 'audit', path: ({ partner }) => `/p/${partner}/audit`, heading: 'Audit log', sees: rulers },
  {
    name: 'audit-record',
    path: ({ partner, record }) => `/p/${partner}/audit/${record}`,
    heading: 'Changed an agreement',
    sees: rulers,
  },
  {
    name: 'people-of-an-empty-partner',
    path: ({ empty }) => `/p/${empty}/people`,
    heading: 'People',
    sees: among('operator', 'owner'),
  },
  // Webhooks.
  ...webhookScreens,
  // Operators.
  { name: 'platform', path: () => '/admin', heading: 'Platform', sees: among('operator') },
  { name: 'all-partners', path: () => '/admin/partners', heading: 'Partners', sees: among('operator') },
  {
    name: 'deleted-partners',
    path: () => '/admin/partners?show=deleted',
    heading: 'Partners',
    sees: among('operator'),
  },
  { name: 'users', path: () => '/admin/users', heading: 'Users', sees: among('operator') },
  {
    name: 'user',
    path: ({ people }) => `/admin/users/${people.viewer.id}`,
    heading: ({ people }) => people.viewer.name,
    sees: among('operator'),
  },
  {
    name: 'admin-event-types',
    path: () => '/admin/event-types',
    heading: 'Event types',
    sees: among('operator'),
  },
  {
    name: 'admin-event-type',
    path: () => '/admin/event-types/order.status_changed',
    heading: 'order.status_changed',
    sees: among('operator'),
  },
  {
    name: 'new-event-type',
    path: () => '/admin/event-types/parcel.lost',
    heading: 'parcel.lost',
    sees: among('operator'),
  },
  {
    name: 'signing-keys',
    path: () => '/admin/signing-keys',
    heading: 'Signing keys',
    sees: among('operator'),
  },
  { name: 'whole-audit-log', path: () => '/admin/audit', heading: 'Audit log', sees: among('operator') },
  {
    name: 'record-of-the-whole-audit-log',
    path: ({ record }) => `/admin/audit/${record}`,
    heading: 'Changed an agreement',
    sees: among('operator'),
  },
  { name: 'system', path: () => '/admin/system', heading: 'System', sees: among('operator') },
];

/** Opens a page, and waits until it has read what it shows. `path`: below /console. */
export async function show(page: Page, path: string): Promise<void> {
  await page.goto(`/console${path}`);
  await page.locator('main h1').first().waitFor();
  // A page can wait for several answers.
  await expect.poll(() => page.locator('[aria-busy="true"]').count()).toBe(0);
}
