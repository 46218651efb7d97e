// The guard of pages that only owners and operators can use.
import { Outlet, useLocation } from '@tanstack/react-router';
import { useAccess } from '#app/session.ts';
import { Empty } from '#ui/feedback/empty.tsx';
import { Skeleton } from '#ui/feedback/loaded.tsx';
import { Page } from '#ui/layout/page.tsx';

/** By what follows the partner in the path. */
const titles: Readonly<Record<string, string>> = {
  'access-reviews': 'Access reviews',
  'service-accounts': 'Service accounts',
  'single-sign-on': 'Single sign-on',
};

export function OwnersOnly() {
  const { rules, isLoading } = useAccess();
  const title = titles[useLocation().pathname.split('/')[3] ?? ''] ?? '';
  if (rules) return <Outlet />;
  return (
    <Page title={title}>
      {isLoading ? (
        <Skeleton />
      ) : (
        <Empty>{title} is for the owners of this partner, so you have no access to it.</Empty>
      )}
    </Page>
  );
}
