// The guard of pages that only owners and operators can use.
import { Outlet, useLocation } from '@tanstack/react-router';
import { useAccess } from '#app/session.ts';
import { Empty } from '#ui/feedback/empty.tsx';
import { Skeleton } from '#ui/feedback/feedback.tsx';
import { Page } from '#ui/layout/page.tsx';

/** By what follows the partner in the path: of the list, and of one thing. */
const titles: Readonly<Record<string, readonly [string, string]>> = {
  'access-reviews': ['Access reviews', 'Access review'],
  'service-accounts': ['Service accounts', 'Service account'],
  'single-sign-on': ['Single sign-on', 'Connection'],
};

export function OwnersOnly() {
  const { rules, isLoading } = useAccess();
  const [, , , part = '', id] = useLocation().pathname.split('/');
  const [list = '', one = ''] = titles[part] ?? [];
  if (rules) return <Outlet />;
  return (
    <Page title={id === undefined ? list : one}>
      {isLoading ? (
        <Skeleton />
      ) : (
        <Empty>{list} is for the owners of this partner, so you have no access to it.</Empty>
      )}
    </Page>
  );
}
