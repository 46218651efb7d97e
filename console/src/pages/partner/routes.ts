// Pages of one partner.
import { pagesBelow, signedInRoute } from '#app/roots.tsx';

const page = pagesBelow(signedInRoute);

export const partnerRoutes = [
  page('/p/$partner', () => import('./overview/overview-page.tsx'), 'OverviewPage'),
  page('/p/$partner/profile', () => import('./profile/profile-page.tsx'), 'PartnerProfilePage'),
  page('/p/$partner/people', () => import('./people/people-page.tsx'), 'PeoplePage'),
  page('/p/$partner/people/$agreement', () => import('./people/person-page.tsx'), 'PersonPage'),
  page(
    '/p/$partner/access-requests',
    () => import('./access-requests/access-requests-page.tsx'),
    'AccessRequestsPage',
  ),
  page('/p/$partner/access-reviews', () => import('./access-reviews/reviews-page.tsx'), 'AccessReviewsPage'),
  page(
    '/p/$partner/access-reviews/$review',
    () => import('./access-reviews/review-page.tsx'),
    'AccessReviewPage',
  ),
  page('/p/$partner/groups', () => import('./groups/groups-page.tsx'), 'GroupsPage'),
  page('/p/$partner/groups/$group', () => import('./groups/group-page.tsx'), 'GroupPage'),
  page(
    '/p/$partner/service-accounts',
    () => import('./service-accounts/service-accounts-page.tsx'),
    'ServiceAccountsPage',
  ),
  page(
    '/p/$partner/service-accounts/$account',
    () => import('./service-accounts/service-account-page.tsx'),
    'ServiceAccountPage',
  ),
  page(
    '/p/$partner/single-sign-on',
    () => import('./single-sign-on/single-sign-on-page.tsx'),
    'SingleSignOnPage',
  ),
  page(
    '/p/$partner/single-sign-on/$connection',
    () => import('./single-sign-on/connection-page.tsx'),
    'ConnectionPage',
  ),
  page('/p/$partner/audit', () => import('./audit/audit-page.tsx'), 'AuditPage'),
  page('/p/$partner/audit/$record', () => import('./audit/record-page.tsx'), 'AuditRecordPage'),
] as const;
