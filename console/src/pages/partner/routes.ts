// Pages of one partner.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { signedInRoute } from '../../app/roots.tsx';

const getParentRoute = () => signedInRoute;

export const partnerRoutes = [
  createRoute({
    getParentRoute,
    path: '/p/$partner',
    component: lazyRouteComponent(() => import('./overview/overview-page.tsx'), 'OverviewPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/p/$partner/profile',
    component: lazyRouteComponent(() => import('./profile/profile-page.tsx'), 'PartnerProfilePage'),
  }),
  createRoute({
    getParentRoute,
    path: '/p/$partner/people',
    component: lazyRouteComponent(() => import('./people/people-page.tsx'), 'PeoplePage'),
  }),
  createRoute({
    getParentRoute,
    path: '/p/$partner/people/$agreement',
    component: lazyRouteComponent(() => import('./people/person-page.tsx'), 'PersonPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/p/$partner/access-requests',
    component: lazyRouteComponent(
      () => import('./access-requests/access-requests-page.tsx'),
      'AccessRequestsPage',
    ),
  }),
  createRoute({
    getParentRoute,
    path: '/p/$partner/access-reviews',
    component: lazyRouteComponent(() => import('./access-reviews/reviews-page.tsx'), 'AccessReviewsPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/p/$partner/access-reviews/$review',
    component: lazyRouteComponent(() => import('./access-reviews/review-page.tsx'), 'AccessReviewPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/p/$partner/groups',
    component: lazyRouteComponent(() => import('./groups/groups-page.tsx'), 'GroupsPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/p/$partner/groups/$group',
    component: lazyRouteComponent(() => import('./groups/group-page.tsx'), 'GroupPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/p/$partner/service-accounts',
    component: lazyRouteComponent(
      () => import('./service-accounts/service-accounts-page.tsx'),
      'ServiceAccountsPage',
    ),
  }),
  createRoute({
    getParentRoute,
    path: '/p/$partner/service-accounts/$account',
    component: lazyRouteComponent(
      () => import('./service-accounts/service-account-page.tsx'),
      'ServiceAccountPage',
    ),
  }),
  createRoute({
    getParentRoute,
    path: '/p/$partner/single-sign-on',
    component: lazyRouteComponent(
      () => import('./single-sign-on/single-sign-on-page.tsx'),
      'SingleSignOnPage',
    ),
  }),
  createRoute({
    getParentRoute,
    path: '/p/$partner/single-sign-on/$connection',
    component: lazyRouteComponent(() => import('./single-sign-on/connection-page.tsx'), 'ConnectionPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/p/$partner/audit',
    component: lazyRouteComponent(() => import('./audit/audit-page.tsx'), 'AuditPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/p/$partner/audit/$record',
    component: lazyRouteComponent(() => import('./audit/record-page.tsx'), 'AuditRecordPage'),
  }),
] as const;
