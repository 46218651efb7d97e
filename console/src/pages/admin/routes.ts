// Pages of operators.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { signedInRoute } from '../../app/roots.tsx';

const guardRoute = createRoute({
  getParentRoute: () => signedInRoute,
  id: 'operators',
  component: lazyRouteComponent(() => import('./operators-only.tsx'), 'OperatorsOnly'),
});
const getParentRoute = () => guardRoute;

const routes = [
  createRoute({
    getParentRoute,
    path: '/admin',
    component: lazyRouteComponent(() => import('./overview/overview-page.tsx'), 'PlatformPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/admin/partners',
    component: lazyRouteComponent(() => import('./partners/partners-page.tsx'), 'PartnersPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/admin/users',
    component: lazyRouteComponent(() => import('./users/users-page.tsx'), 'UsersPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/admin/users/$user',
    component: lazyRouteComponent(() => import('./users/user-page.tsx'), 'UserPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/admin/event-types',
    component: lazyRouteComponent(() => import('./event-types/event-types-page.tsx'), 'AdminEventTypesPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/admin/event-types/$name',
    component: lazyRouteComponent(() => import('./event-types/event-type-page.tsx'), 'AdminEventTypePage'),
  }),
  createRoute({
    getParentRoute,
    path: '/admin/signing-keys',
    component: lazyRouteComponent(() => import('./signing-keys/signing-keys-page.tsx'), 'SigningKeysPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/admin/audit',
    component: lazyRouteComponent(() => import('./audit/audit-page.tsx'), 'PlatformAuditPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/admin/audit/$record',
    component: lazyRouteComponent(() => import('./audit/record-page.tsx'), 'PlatformAuditRecordPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/admin/system',
    component: lazyRouteComponent(() => import('./system/system-page.tsx'), 'SystemPage'),
  }),
] as const;

export const adminRoutes = [guardRoute.addChildren(routes)] as const;
