// Pages of the own account.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { signedInRoute } from '../../app/roots.tsx';

const getParentRoute = () => signedInRoute;

export const accountRoutes = [
  createRoute({
    getParentRoute,
    path: '/account',
    component: lazyRouteComponent(() => import('./profile/profile-page.tsx'), 'ProfilePage'),
  }),
  createRoute({
    getParentRoute,
    path: '/account/sign-in',
    component: lazyRouteComponent(() => import('./sign-in/sign-in-page.tsx'), 'AccountSignInPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/account/sessions',
    component: lazyRouteComponent(() => import('./sessions/sessions-page.tsx'), 'SessionsPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/account/tokens',
    component: lazyRouteComponent(() => import('./tokens/tokens-page.tsx'), 'TokensPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/device',
    component: lazyRouteComponent(() => import('./device/device-page.tsx'), 'DevicePage'),
  }),
] as const;
