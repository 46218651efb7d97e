// The first page of signed-in people.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { signedInRoute } from '../../app/roots.tsx';

const getParentRoute = () => signedInRoute;

export const homeRoutes = [
  createRoute({
    getParentRoute,
    path: '/',
    component: lazyRouteComponent(() => import('./home-page.tsx'), 'HomePage'),
  }),
] as const;
