// For pages that only owners and operators can use.
import type { ReactNode } from 'react';
import { useAccess } from '#app/session.ts';
import { Empty } from '#ui/feedback/empty.tsx';
import { Skeleton } from '#ui/feedback/loaded.tsx';
import { Page } from '#ui/layout/page.tsx';

export function OwnersOnly({
  title,
  what = title,
  children,
}: {
  title: string;
  /** Begins a sentence: "Service accounts". */
  what?: string;
  children: ReactNode;
}) {
  const { rules, isLoading } = useAccess();
  if (rules) return children;
  return (
    <Page title={title}>
      {isLoading ? (
        <Skeleton />
      ) : (
        <Empty>{what} is for the owners of this partner, so you have no access to it.</Empty>
      )}
    </Page>
  );
}
