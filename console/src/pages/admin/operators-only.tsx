// The guard of the operators' pages: everybody else sees who may open them.
import { Outlet } from '@tanstack/react-router';
import { useMe } from '#app/session.ts';
import { PageButton } from '#ui/button.tsx';
import { Page } from '#ui/layout/page.tsx';

export function OperatorsOnly() {
  const { role } = useMe();
  if (role === 'operator') return <Outlet />;
  return (
    <Page
      title="For operators only"
      about="These pages are for the operators of the platform. Your account has the role “user”; an operator can change it."
    >
      <div>
        <PageButton to="/">Go to the start</PageButton>
      </div>
    </Page>
  );
}
