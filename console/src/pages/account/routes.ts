// Pages of the own account.
import { pagesBelow, signedInRoute } from '#app/roots.tsx';

const page = pagesBelow(signedInRoute);

export const accountRoutes = [
  page('/account', () => import('./profile/profile-page.tsx'), 'ProfilePage'),
  page('/account/sign-in', () => import('./sign-in/sign-in-page.tsx'), 'AccountSignInPage'),
  page('/account/sessions', () => import('./sessions/sessions-page.tsx'), 'SessionsPage'),
  page('/account/tokens', () => import('./tokens/tokens-page.tsx'), 'TokensPage'),
  page('/device', () => import('./device/device-page.tsx'), 'DevicePage'),
] as const;
