// The roots of the routes: pages that anyone can open, and pages of signed-in people.
import { getLiveness } from '@concord/client';
import {
  type AnyRoute,
  createRootRoute,
  createRoute,
  Link,
  lazyRouteComponent,
  Outlet,
  redirect,
  useRouter,
} from '@tanstack/react-router';
import { type ReactNode, useCallback, useEffect } from 'react';
import { client } from '#api/client.ts';
import { readHealth, subscribeToHealth, useHealth } from '#api/health.ts';
import { queryClient } from '#api/query-client.ts';
import { Button } from '#ui/button.tsx';
import { Problem, Skeleton, toError } from '#ui/feedback/feedback.tsx';
import { ownDrafts } from '#ui/form/unsaved.ts';
import css from './frames.module.css';
import { HealthBanner } from './health-banner.tsx';
import { isSignedOut, meQuery } from './me.ts';

type Search = Record<string, string | undefined>;

export const rootRoute = createRootRoute({
  /** The router reads and writes them as plain texts. */
  validateSearch: (search: Search) => search,
  component: Outlet,
  notFoundComponent: Missing,
  errorComponent: Failed,
});

export const publicRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'public',
  component: PublicFrame,
});

export const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  component: lazyRouteComponent(() => import('./shell/shell.tsx'), 'Shell'),
  pendingComponent: () => (
    <main className={css.narrow}>
      <HealthBanner />
      <Skeleton />
    </main>
  ),
  pendingMinMs: 0,
  beforeLoad: async ({ location }) => {
    try {
      ownDrafts((await queryClient.ensureQueryData(meQuery)).data.id);
    } catch (error) {
      if (!isSignedOut(error)) throw error;
      throw redirect({ to: '/sign-in', search: { return: location.href } });
    }
  },
});

/** Makes the routes below a root. Each page is a component of a file that the browser loads when it is opened. */
export const pagesBelow =
  <Parent extends AnyRoute>(parent: Parent) =>
  <const Path extends string, Name extends string>(
    path: Path,
    load: () => Promise<Readonly<Record<NoInfer<Name>, () => ReactNode>>>,
    name: Name,
  ) =>
    createRoute({
      getParentRoute: () => parent,
      path,
      component: lazyRouteComponent(load, name),
    });

function PublicFrame() {
  return (
    <div className={css.public}>
      <HealthBanner />
      <main className={css.card}>
        <p className={css.brand}>Concord</p>
        <Outlet />
      </main>
    </div>
  );
}

function Missing() {
  return (
    <main className={css.narrow}>
      <h1>This page does not exist</h1>
      <p>
        The address may be wrong, or what it showed is gone. <Link to="/">Go to the start</Link>
      </p>
    </main>
  );
}

/**
 * Goes on by itself as soon as Concord answers. A file that is missing needs a new page: the browser does not
 * ask for it again.
 */
function Failed({ error, reset }: { error: unknown; reset: () => void }) {
  const router = useRouter();
  const isMissing = isMissingFile(error);
  const isReachable = useHealth().state !== 'unreachable';
  const showAgain = useCallback(() => void router.invalidate().then(reset), [router, reset]);
  useEffect(() => {
    const goOn = isMissing ? reloadOnce : showAgain;
    if (isMissing) void getLiveness({ client }).then(goOn, () => {});
    return subscribeToHealth(() => {
      if (readHealth().state === 'ok') goOn();
    });
  }, [showAgain, isMissing]);
  return (
    <main className={css.narrow}>
      <HealthBanner />
      <h1>This page could not be shown</h1>
      {isReachable && (
        <>
          <Problem error={toError(error)} />
          <div>
            <Button onClick={isMissing ? () => window.location.reload() : showAgain}>
              {isMissing ? 'Reload' : 'Try again'}
            </Button>
          </div>
        </>
      )}
    </main>
  );
}

const missing = new WeakSet<Error>();
const reloadedAt = 'concord.reloaded-at';
const pauseMs = 60_000;

window.addEventListener('vite:preloadError', ({ payload }) => {
  missing.add(payload);
  // The router must not know it: it reloads at once, and without Concord the page would be lost.
  payload.message = 'A part of the console could not be loaded. Reload the page.';
});

/** Files of the console that the browser loads later, with a page. After an upgrade those of an open page are gone. */
const isMissingFile = (error: unknown): boolean => missing.has(error as Error);

/** At most once a minute, since the file can be missing for good. */
function reloadOnce(): void {
  if (Date.now() - Number(sessionStorage.getItem(reloadedAt)) < pauseMs) return;
  sessionStorage.setItem(reloadedAt, String(Date.now()));
  window.location.reload();
}
