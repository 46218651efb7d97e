// Pages of operators.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { pagesBelow, signedInRoute } from '#app/roots.tsx';

const guardRoute = createRoute({
  getParentRoute: () => signedInRoute,
  id: 'operators',
  component: lazyRouteComponent(() => import('./operators-only.tsx'), 'OperatorsOnly'),
});
const page = pagesBelow(guardRoute);

const routes = [
  page('/admin', () => import('./overview/overview-page.tsx'), 'PlatformPage'),
  page('/admin/partners', () => import('./partners/partners-page.tsx'), 'PartnersPage'),
  page('/admin/users', () => import('./users/users-page.tsx'), 'UsersPage'),
  page('/admin/users/$user', () => import('./users/user-page.tsx'), 'UserPage'),
  page('/admin/event-types', () => import('./event-types/event-types-page.tsx'), 'AdminEventTypesPage'),
  page('/admin/event-types/$name', () => import('./event-types/event-type-page.tsx'), 'AdminEventTypePage'),
  page('/admin/signing-keys', () => import('./signing-keys/signing-keys-page.tsx'), 'SigningKeysPage'),
  page('/admin/audit', () => import('./audit/audit-page.tsx'), 'PlatformAuditPage'),
  page('/admin/audit/$record', () => import('./audit/record-page.tsx'), 'PlatformAuditRecordPage'),
  page('/admin/system', () => import('./system/system-page.tsx'), 'SystemPage'),
] as const;

export const adminRoutes = [guardRoute.addChildren(routes)] as const;
