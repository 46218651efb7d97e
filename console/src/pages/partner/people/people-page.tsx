// The people of a partner: members, invitations that wait, and agreements that have ended.
import { type Agreement, listPartnerAgreements } from '@concord/client';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead } from '#api/read.ts';
import { useAsked, usePartner } from '#app/address.ts';
import { Allowed } from '#app/allowed.tsx';
import { Denied } from '#app/denied.tsx';
import { MailPlace } from '#app/mail-place.tsx';
import { useAccess } from '#app/session.ts';
import { toCommand } from '#format/command.ts';
import { DialogButton } from '#ui/dialog/dialog.tsx';
import { Empty } from '#ui/feedback/empty.tsx';
import { Page } from '#ui/layout/page.tsx';
import { Tab, Tabs } from '#ui/layout/tabs.tsx';
import { Filters, FilterText, List, useListState } from '#ui/table/list.tsx';
import type { Column } from '#ui/table/table.tsx';
import { EmailAddress, Faint, Lines, Time } from '#ui/text/text.tsx';
import { describeAccess, nameOf, type State, serviceAccountOf } from './agreement.ts';
import { InviteDialog } from './invite-dialog.tsx';
import { useAgreementActions } from './use-agreement-actions.tsx';

const tabs: readonly { state: State; name: string }[] = [
  { state: 'active', name: 'Members' },
  { state: 'pending', name: 'Invitations' },
  { state: 'expired', name: 'Ended' },
];
const empties: Readonly<Record<State, string>> = {
  active: 'Nobody has access to this partner yet.',
  pending: 'No invitation waits for an answer.',
  expired: 'No agreement has ended.',
};

export function PeoplePage() {
  const partner = usePartner();
  const access = useAccess();
  const navigate = useNavigate();
  const [hasMailed, setMailed] = useState(false);
  const canInvite = access.can('agreements', 'post');
  return (
    <Page
      title="People"
      about="Who has access to this partner, who is invited, and until when."
      action={
        canInvite && (
          <DialogButton
            look="primary"
            dialog={(onClose) => (
              <InviteDialog
                onClose={onClose}
                onInvited={() => {
                  setMailed(true);
                  void navigate({
                    to: '/p/$partner/people',
                    params: { partner },
                    search: { state: 'pending' },
                  });
                }}
              />
            )}
          >
            Invite people
          </DialogButton>
        )
      }
    >
      {hasMailed && <MailPlace />}
      <Allowed resource="agreements" method="query">
        <People canInvite={canInvite} onMailed={() => setMailed(true)} />
      </Allowed>
    </Page>
  );
}

type PeopleProps = { canInvite: boolean; onMailed: () => void };
function People({ canInvite, onMailed }: PeopleProps) {
  const partner = usePartner();
  const { state: asked } = useAsked();
  const shown = tabs.find(({ state }) => state === asked)?.state ?? 'active';
  const list = useListState({
    filters: ['email'],
    sort: { by: 'created_at', direction: 'desc' },
    fixed: { 'filter[state]': shown },
  });
  const query = useRead(listPartnerAgreements, { path: { id: partner }, query: list.query });
  const actionsOf = useAgreementActions({ onMailed });
  return (
    <>
      <Tabs label="People">
        {tabs.map(({ state, name }) => (
          <Tab
            key={state}
            to="/p/$partner/people"
            params={{ partner }}
            search={{ state: state === 'active' ? undefined : state }}
            activeOptions={{ explicitUndefined: true }}
          >
            {name}
          </Tab>
        ))}
      </Tabs>
      <Filters>
        <FilterText state={list} name="email" label="E-mail address" placeholder="contains" />
      </Filters>
      <List
        key={shown}
        label={tabs.find(({ state }) => state === shown)?.name ?? 'People'}
        query={query}
        state={list}
        keyOf={({ id }) => id}
        nameOf={nameOf}
        columns={columnsOf(partner, shown)}
        actions={actionsOf}
        denied={<Denied resource="agreements" method="query" />}
        empty={
          <Empty
            {...(canInvite &&
              shown !== 'expired' && {
                command: toCommand({
                  method: 'POST',
                  path: `/partners/${partner}/agreements`,
                  body: { email: 'ann@example.com' },
                }),
              })}
          >
            {empties[shown]}
          </Empty>
        }
      />
    </>
  );
}

const columnsOf = (partner: string, state: State): Column<Agreement>[] => [
  {
    name: state === 'pending' ? 'Invited address' : 'Person',
    cell: (agreement) => (
      <Lines>
        <Link to="/p/$partner/people/$agreement" params={{ partner, agreement: agreement.id }}>
          {nameOf(agreement)}
        </Link>
        {serviceAccountOf(agreement) !== null ? (
          <Faint>Service account</Faint>
        ) : (
          agreement.user.name !== null && (
            <Faint>
              <EmailAddress email={agreement.user.email} />
            </Faint>
          )
        )}
      </Lines>
    ),
  },
  { name: 'Access', cell: describeAccess, isSecondary: state !== 'active' },
  {
    name: 'Second factor',
    cell: ({ mfa_required }) => (mfa_required ? 'Required' : <Faint>–</Faint>),
    isSecondary: true,
  },
  {
    name: state === 'expired' ? 'Ended' : 'Ends',
    cell: ({ expires_at }) => <Time at={expires_at} none="Never" />,
    isSecondary: state !== 'expired',
  },
  {
    name: state === 'pending' ? 'Invited' : 'Since',
    at: 'created_at',
    sortBy: 'created_at',
    isSecondary: state !== 'pending',
  },
];
