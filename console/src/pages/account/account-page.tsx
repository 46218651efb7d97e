// The frame of the pages of the own account.
import type { ReactNode } from 'react';
import { useMe } from '#app/session.ts';
import { accountPages } from '#app/shell/pages.ts';
import { Page } from '#ui/layout/page.tsx';
import { Tab, Tabs } from '#ui/layout/tabs.tsx';

type Props = { documentTitle: string; children: ReactNode };

export function AccountPage({ documentTitle, children }: Props) {
  const me = useMe();
  return (
    <Page title="Your account" documentTitle={documentTitle} about={me.email}>
      <Tabs label="Your account">
        {accountPages.map(([name, to]) => (
          <Tab key={to} to={to} activeOptions={{ exact: true, includeSearch: false }}>
            {name}
          </Tab>
        ))}
      </Tabs>
      {children}
    </Page>
  );
}
