// The frame of the pages of the own account.
import type { ReactNode } from 'react';
import { useMe } from '../../app/session.ts';
import { Page } from '../../ui/layout/page.tsx';
import { Tab, Tabs } from '../../ui/layout/tabs.tsx';

type Props = { documentTitle: string; children: ReactNode };

export function AccountPage({ documentTitle, children }: Props) {
  const me = useMe();
  return (
    <Page title="Your account" documentTitle={documentTitle} about={me.email}>
      <Tabs label="Your account">
        <Tab to="/account" activeOptions={{ exact: true }}>
          Profile
        </Tab>
        <Tab to="/account/sign-in">Sign-in</Tab>
        <Tab to="/account/sessions">Sessions</Tab>
        <Tab to="/account/tokens">Access tokens</Tab>
      </Tabs>
      {children}
    </Page>
  );
}
