// Every page of the console, by area. Each page is a file of its own that the browser loads when it is
// opened.

// First: the router must not see the fragment.
import './link-fragment.ts';
import { createRouter } from '@tanstack/react-router';
import { onSignedOut } from '#api/client.ts';
import { queryClient } from '#api/query-client.ts';
import { keepDrafts } from '#ui/form/unsaved.ts';
import { accountRoutes } from '../pages/account/routes.ts';
import { adminRoutes } from '../pages/admin/routes.ts';
import { homeRoutes } from '../pages/home/routes.ts';
import { partnerRoutes } from '../pages/partner/routes.ts';
import { publicRoutes } from '../pages/public/routes.ts';
import { webhookRoutes } from '../pages/webhooks/routes.ts';
import { publicRoute, rootRoute, signedInRoute } from './roots.tsx';
import { parseSearch, stringifySearch } from './search-params.ts';

const routeTree = rootRoute.addChildren([
  publicRoute.addChildren(publicRoutes),
  signedInRoute.addChildren([
    ...homeRoutes,
    ...accountRoutes,
    ...partnerRoutes,
    ...webhookRoutes,
    ...adminRoutes,
  ]),
]);

export const router = createRouter({
  routeTree,
  basepath: '/console',
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  defaultPendingMs: 300,
  scrollRestoration: true,
});

// The session has ended: sign in, and come back to this page.
onSignedOut(() => {
  const { href, pathname } = router.state.location;
  if (isPublic(pathname)) return;
  keepDrafts();
  void router.navigate({ to: '/sign-in', search: { return: href } as never }).then(() => queryClient.clear());
});

const isPublic = (pathname: string): boolean =>
  router.matchRoutes(pathname, {}).some(({ routeId }) => String(routeId).startsWith('/public'));

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
