// Pages that anyone can open.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { publicRoute } from '../../app/roots.tsx';

const getParentRoute = () => publicRoute;

export const publicRoutes = [
  createRoute({
    getParentRoute,
    path: '/setup',
    component: lazyRouteComponent(() => import('./setup/setup-page.tsx'), 'SetupPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/sign-in',
    component: lazyRouteComponent(() => import('./sign-in/sign-in-page.tsx'), 'SignInPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/sign-up',
    component: lazyRouteComponent(() => import('./sign-in/sign-up-page.tsx'), 'SignUpPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/forgot',
    component: lazyRouteComponent(() => import('./passwords/forgot-page.tsx'), 'ForgotPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/reset',
    component: lazyRouteComponent(() => import('./passwords/reset-page.tsx'), 'ResetPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/verify',
    component: lazyRouteComponent(() => import('./links/verify-page.tsx'), 'VerifyPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/delete',
    component: lazyRouteComponent(() => import('./links/delete-page.tsx'), 'DeletePage'),
  }),
  createRoute({
    getParentRoute,
    path: '/provider-return',
    component: lazyRouteComponent(() => import('./sign-in/provider-return-page.tsx'), 'ProviderReturnPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/connection-return',
    component: lazyRouteComponent(
      () => import('./sign-in/connection-return-page.tsx'),
      'ConnectionReturnPage',
    ),
  }),
  createRoute({
    getParentRoute,
    path: '/invitations/$agreement',
    component: lazyRouteComponent(() => import('./invitation/invitation-page.tsx'), 'InvitationPage'),
  }),
] as const;
