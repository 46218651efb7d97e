// Every page of the console, by area. Each page is a component of a file that the browser loads when it is opened.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { pagesBelow, publicRoute, rootRoute, signedInRoute } from '#app/roots.tsx';

const open = pagesBelow(publicRoute);
const publicPages = [
  open('/setup', () => import('./public/setup/setup-page.tsx'), 'SetupPage'),
  open('/sign-in', () => import('./public/sign-in/sign-in-page.tsx'), 'SignInPage'),
  open('/sign-up', () => import('./public/sign-in/sign-up-page.tsx'), 'SignUpPage'),
  open('/forgot', () => import('./public/passwords/forgot-page.tsx'), 'ForgotPage'),
  open('/reset', () => import('./public/passwords/reset-page.tsx'), 'ResetPage'),
  open('/verify', () => import('./public/links/verify-page.tsx'), 'VerifyPage'),
  open('/delete', () => import('./public/links/delete-page.tsx'), 'DeletePage'),
  open('/provider-return', () => import('./public/sign-in/provider-return-page.tsx'), 'ProviderReturnPage'),
  open(
    '/connection-return',
    () => import('./public/sign-in/connection-return-page.tsx'),
    'ConnectionReturnPage',
  ),
  open('/invitations/$agreement', () => import('./public/invitation/invitation-page.tsx'), 'InvitationPage'),
] as const;

const page = pagesBelow(signedInRoute);
const homeAndAccountPages = [
  page('/', () => import('./home/home-page.tsx'), 'HomePage'),
  page('/account', () => import('./account/profile/profile-page.tsx'), 'ProfilePage'),
  page('/account/sign-in', () => import('./account/sign-in/sign-in-page.tsx'), 'AccountSignInPage'),
  page('/account/sessions', () => import('./account/sessions/sessions-page.tsx'), 'SessionsPage'),
  page('/account/tokens', () => import('./account/tokens/tokens-page.tsx'), 'TokensPage'),
  page('/device', () => import('./account/device/device-page.tsx'), 'DevicePage'),
] as const;
const partnerPages = [
  page('/p/$partner', () => import('./partner/overview/overview-page.tsx'), 'OverviewPage'),
  page('/p/$partner/profile', () => import('./partner/profile/profile-page.tsx'), 'PartnerProfilePage'),
  page('/p/$partner/people', () => import('./partner/people/people-page.tsx'), 'PeoplePage'),
  page('/p/$partner/people/$agreement', () => import('./partner/people/person-page.tsx'), 'PersonPage'),
  page(
    '/p/$partner/access-requests',
    () => import('./partner/access-requests/access-requests-page.tsx'),
    'AccessRequestsPage',
  ),
  page('/p/$partner/groups', () => import('./partner/groups/groups-page.tsx'), 'GroupsPage'),
  page('/p/$partner/groups/$group', () => import('./partner/groups/group-page.tsx'), 'GroupPage'),
  page('/p/$partner/audit', () => import('./partner/audit/audit-page.tsx'), 'AuditPage'),
  page('/p/$partner/audit/$record', () => import('./partner/audit/record-page.tsx'), 'AuditRecordPage'),
] as const;

const ownersRoute = createRoute({
  getParentRoute: () => signedInRoute,
  id: 'owners',
  component: lazyRouteComponent(() => import('./partner/owners-only.tsx'), 'OwnersOnly'),
});
const owned = pagesBelow(ownersRoute);
const ownerPages = [
  owned(
    '/p/$partner/access-reviews',
    () => import('./partner/access-reviews/reviews-page.tsx'),
    'AccessReviewsPage',
  ),
  owned(
    '/p/$partner/access-reviews/$review',
    () => import('./partner/access-reviews/review-page.tsx'),
    'AccessReviewPage',
  ),
  owned(
    '/p/$partner/service-accounts',
    () => import('./partner/service-accounts/service-accounts-page.tsx'),
    'ServiceAccountsPage',
  ),
  owned(
    '/p/$partner/service-accounts/$account',
    () => import('./partner/service-accounts/service-account-page.tsx'),
    'ServiceAccountPage',
  ),
  owned(
    '/p/$partner/single-sign-on',
    () => import('./partner/single-sign-on/single-sign-on-page.tsx'),
    'SingleSignOnPage',
  ),
  owned(
    '/p/$partner/single-sign-on/$connection',
    () => import('./partner/single-sign-on/connection-page.tsx'),
    'ConnectionPage',
  ),
] as const;

/** For integrators. */
const webhookPages = [
  page(
    '/p/$partner/webhooks/endpoints',
    () => import('./webhooks/endpoints/endpoints-page.tsx'),
    'EndpointsPage',
  ),
  page(
    '/p/$partner/webhooks/endpoints/$endpoint',
    () => import('./webhooks/endpoints/endpoint-page.tsx'),
    'EndpointPage',
  ),
  page(
    '/p/$partner/webhooks/endpoints/$endpoint/checkpoints/$checkpoint',
    () => import('./webhooks/checkpoints/checkpoint-page.tsx'),
    'CheckpointPage',
  ),
  page(
    '/p/$partner/webhooks/deliveries',
    () => import('./webhooks/deliveries/deliveries-page.tsx'),
    'DeliveriesPage',
  ),
  page(
    '/p/$partner/webhooks/deliveries/$delivery',
    () => import('./webhooks/inspector/delivery-page.tsx'),
    'DeliveryPage',
  ),
  page('/p/$partner/webhooks/events', () => import('./webhooks/events/events-page.tsx'), 'EventsPage'),
  page('/p/$partner/webhooks/events/$event', () => import('./webhooks/events/event-page.tsx'), 'EventPage'),
  page(
    '/p/$partner/webhooks/event-types',
    () => import('./webhooks/event-types/event-types-page.tsx'),
    'EventTypesPage',
  ),
  page(
    '/p/$partner/webhooks/event-types/$name',
    () => import('./webhooks/event-types/event-type-page.tsx'),
    'EventTypePage',
  ),
  page('/p/$partner/webhooks/verify', () => import('./webhooks/verify/verify-page.tsx'), 'VerifyRequestPage'),
  page(
    '/p/$partner/webhooks/quickstart',
    () => import('./webhooks/quickstart/quickstart-page.tsx'),
    'QuickstartPage',
  ),
] as const;

const operatorsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  id: 'operators',
  component: lazyRouteComponent(() => import('./admin/operators-only.tsx'), 'OperatorsOnly'),
});
const guarded = pagesBelow(operatorsRoute);
const operatorPages = [
  guarded('/admin', () => import('./admin/overview/overview-page.tsx'), 'PlatformPage'),
  guarded('/admin/partners', () => import('./admin/partners/partners-page.tsx'), 'PartnersPage'),
  guarded('/admin/users', () => import('./admin/users/users-page.tsx'), 'UsersPage'),
  guarded('/admin/users/$user', () => import('./admin/users/user-page.tsx'), 'UserPage'),
  guarded(
    '/admin/event-types',
    () => import('./admin/event-types/event-types-page.tsx'),
    'AdminEventTypesPage',
  ),
  guarded(
    '/admin/event-types/$name',
    () => import('./admin/event-types/event-type-page.tsx'),
    'AdminEventTypePage',
  ),
  guarded(
    '/admin/signing-keys',
    () => import('./admin/signing-keys/signing-keys-page.tsx'),
    'SigningKeysPage',
  ),
  guarded('/admin/audit', () => import('./admin/audit/audit-page.tsx'), 'PlatformAuditPage'),
  guarded('/admin/audit/$record', () => import('./admin/audit/record-page.tsx'), 'PlatformAuditRecordPage'),
  guarded('/admin/system', () => import('./admin/system/system-page.tsx'), 'SystemPage'),
] as const;

export const routeTree = rootRoute.addChildren([
  publicRoute.addChildren(publicPages),
  signedInRoute.addChildren([
    ...homeAndAccountPages,
    ...partnerPages,
    ...webhookPages,
    ownersRoute.addChildren(ownerPages),
    operatorsRoute.addChildren(operatorPages),
  ]),
]);
