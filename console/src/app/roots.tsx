// The roots of the routes: pages that anyone can open, and pages of signed-in people.
import { ConcordError } from '@concord/client';
import {
  type AnyRoute,
  createRootRoute,
  createRoute,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { queryClient } from '#api/query-client.ts';
import { Skeleton } from '#ui/feedback/loaded.tsx';
import { ownDrafts } from '#ui/form/unsaved.ts';
import { Failed, Missing } from './failures.tsx';
import css from './frames.module.css';
import { PublicFrame } from './public-frame.tsx';
import { meQuery } from './session.ts';

export const rootRoute = createRootRoute({
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
      <Skeleton />
    </main>
  ),
  pendingMinMs: 0,
  beforeLoad: async ({ location }) => {
    try {
      ownDrafts((await queryClient.ensureQueryData(meQuery)).data.id);
    } catch (error) {
      if (!(error instanceof ConcordError && error.status === 401)) throw error;
      throw redirect({ to: '/sign-in', search: { return: location.href } as never });
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
