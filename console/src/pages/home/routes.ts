// The first page of signed-in people.
import { pagesBelow, signedInRoute } from '#app/roots.tsx';

const page = pagesBelow(signedInRoute);

export const homeRoutes = [page('/', () => import('./home-page.tsx'), 'HomePage')] as const;
