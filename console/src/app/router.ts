// The router: the pages, their addresses, and what happens when the session ends.

// First: the router must not see the fragment.
import './link-fragment.ts';
import { createRouter } from '@tanstack/react-router';
import { onSignedOut } from '#api/client.ts';
import { queryClient } from '#api/query-client.ts';
import { keepDrafts } from '#ui/form/unsaved.ts';
import { routeTree } from '../pages/routes.ts';

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
  void router.navigate({ to: '/sign-in', search: { return: href } }).then(() => queryClient.clear());
});

const isPublic = (pathname: string): boolean =>
  router.matchRoutes(pathname, {}).some(({ routeId }) => String(routeId).startsWith('/public'));

/** The query of the URL as plain text: `?state=failed&page_from=abc`. The router would write JSON. */
function parseSearch(search: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(search));
}

function stringifySearch(search: Record<string, unknown>): string {
  const entries = Object.entries(search).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, String(value)]],
  );
  const text = new URLSearchParams(entries).toString();
  return text === '' ? '' : `?${text}`;
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
