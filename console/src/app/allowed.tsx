// Shows its content to those who may see it. Nothing is asked of the server for the others: each denied
// request is recorded.
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Method, Resource } from '#messages/permissions.ts';
import { Loaded, Skeleton } from '#ui/feedback/feedback.tsx';
import { Page } from '#ui/layout/page.tsx';
import { Denied } from './denied.tsx';
import { useAccess } from './session.ts';

type Props = {
  resource: Resource;
  method: Method;
  /** Also without the permission, such as one's own agreement. */
  orIf?: boolean;
  children: ReactNode;
};

export function Allowed({ resource, method, orIf = false, children }: Props) {
  const { can, isLoading } = useAccess();
  if (can(resource, method) || orIf) return children;
  if (isLoading) return <Skeleton lines={8} />;
  return <Denied resource={resource} method={method} />;
}

type PageProps<Data> = Omit<Props, 'children'> & {
  title: string;
  query: UseQueryResult<Data>;
  children: (data: Data) => ReactNode;
};

/** A page of one thing, which has a title of its own once it is read. */
export function AllowedPage<Data>({ title, query, children, orIf = false, ...permission }: PageProps<Data>) {
  return (
    <Loaded
      query={query}
      lines={8}
      denied={<Denied {...permission} />}
      frame={(shown) => (
        <Page title={title}>
          <Allowed {...permission} orIf={orIf}>
            {shown}
          </Allowed>
        </Page>
      )}
    >
      {children}
    </Loaded>
  );
}
