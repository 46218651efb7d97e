// Pages that anyone can open.
import { pagesBelow, publicRoute } from '#app/roots.tsx';

const page = pagesBelow(publicRoute);

export const publicRoutes = [
  page('/setup', () => import('./setup/setup-page.tsx'), 'SetupPage'),
  page('/sign-in', () => import('./sign-in/sign-in-page.tsx'), 'SignInPage'),
  page('/sign-up', () => import('./sign-in/sign-up-page.tsx'), 'SignUpPage'),
  page('/forgot', () => import('./passwords/forgot-page.tsx'), 'ForgotPage'),
  page('/reset', () => import('./passwords/reset-page.tsx'), 'ResetPage'),
  page('/verify', () => import('./links/verify-page.tsx'), 'VerifyPage'),
  page('/delete', () => import('./links/delete-page.tsx'), 'DeletePage'),
  page('/provider-return', () => import('./sign-in/provider-return-page.tsx'), 'ProviderReturnPage'),
  page('/connection-return', () => import('./sign-in/connection-return-page.tsx'), 'ConnectionReturnPage'),
  page('/invitations/$agreement', () => import('./invitation/invitation-page.tsx'), 'InvitationPage'),
] as const;
