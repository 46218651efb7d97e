// One agreement: its terms, what it grants and why, and its history.
import {
  type AclPermission,
  type Agreement,
  getPartnerAgreement,
  getSignInPolicy,
  listAclPermissionGroups,
  type SignInPolicy,
} from '@concord/client';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type Answer, useRead } from '#api/read.ts';
import { usePartner, usePath } from '#app/address.ts';
import { AllowedPage } from '#app/allowed.tsx';
import { MailPlace } from '#app/mail-place.tsx';
import { type PartnerAccess, useAccess } from '#app/session.ts';
import { formatExactTime } from '#format/time.ts';
import { Button } from '#ui/button.tsx';
import { FormDialog } from '#ui/dialog/dialog.tsx';
import { FieldSet } from '#ui/form/field.tsx';
import { Page, Section } from '#ui/layout/page.tsx';
import { Changes } from '#ui/permissions/changes.tsx';
import { PermissionPicker } from '#ui/permissions/permission-picker.tsx';
import { differenceOf } from '#ui/permissions/permission-sets.ts';
import { ActionButton } from '#ui/table/table.tsx';
import { Fact, Facts, Faint, Status } from '#ui/text/text.tsx';
import { agreementProblems, agreementStates } from '../messages.ts';
import { Access } from './access.tsx';
import { nameOf, serviceAccountOf, stateOf } from './agreement.ts';
import { GroupChoice } from './group-choice.tsx';
import { History } from './history.tsx';
import { saveAgreement } from './save-agreement.ts';
import { TermsDialog } from './terms-dialog.tsx';
import { useAgreementActions } from './use-agreement-actions.tsx';

export function PersonPage() {
  const { partner, agreement } = usePath();
  const access = useAccess();
  const isAllowed = access.can('agreements', 'get') || access.agreement?.id === agreement;
  const query = useRead(
    getPartnerAgreement,
    { path: { id: partner, agreement_id: agreement } },
    { enabled: isAllowed },
  );
  return (
    <AllowedPage title="Person" query={query} resource="agreements" method="get" orIf={isAllowed}>
      {(answer) => <Person answer={answer} />}
    </AllowedPage>
  );
}

/** Why the terms cannot be changed here. Null: they can. */
function lockOf({ can, rules, agreement: own }: PartnerAccess, agreement: Agreement): string | null {
  if (rules) return null;
  if (agreement.id === own?.id) return 'Only an owner can change the terms of your own access.';
  if (!can('agreements', 'patch')) return '';
  return agreement.owner ? 'Only owners can change the terms of an owner.' : null;
}

function Person({ answer }: { answer: Answer<Agreement> }) {
  const partner = usePartner();
  const access = useAccess();
  const navigate = useNavigate();
  const [edited, setEdited] = useState<{ what: 'terms' | 'access'; answer: Answer<Agreement> } | null>(null);
  const [hasMailed, setMailed] = useState(false);
  const actionsOf = useAgreementActions({
    onMailed: () => setMailed(true),
    onGone: () => navigate({ to: '/p/$partner/people', params: { partner } }),
  });
  const agreement = answer.data;
  const policy = useRead(getSignInPolicy, { path: { id: partner } }, { enabled: access.rules }).data?.data;
  const name = nameOf(agreement);
  const lock = lockOf(access, agreement);
  const edit = (what: 'terms' | 'access', label: string) =>
    lock === null && <Button onClick={() => setEdited({ what, answer })}>{label}</Button>;
  const close = () => setEdited(null);

  return (
    <Page
      title={name}
      above={
        access.can('agreements', 'query') && (
          <Link to="/p/$partner/people" params={{ partner }}>
            People
          </Link>
        )
      }
      beside={<Status {...agreementStates[stateOf(agreement)]} />}
      about={lock === null || lock === '' ? undefined : lock}
      action={actionsOf(agreement).map((action) => (
        <ActionButton key={action.label} action={action} look={action.isDangerous ? 'plain' : 'secondary'} />
      ))}
    >
      {hasMailed && <MailPlace />}
      <Section title="Terms" action={edit('terms', 'Change the terms')}>
        <Terms agreement={agreement} canSeeAccounts={access.rules} policy={policy} />
      </Section>
      <Section title="Access" action={!agreement.owner && edit('access', 'Change the access')}>
        <Access agreement={agreement} />
      </Section>
      {access.can('audit_log', 'query') && <History target={agreement.id} />}
      {edited?.what === 'terms' && <TermsDialog opened={edited.answer} policy={policy} onClose={close} />}
      {edited?.what === 'access' && <AccessDialog opened={edited.answer} onClose={close} />}
    </Page>
  );
}

type TermsProps = {
  agreement: Agreement;
  canSeeAccounts: boolean;
  policy: SignInPolicy | undefined;
};
function Terms({ agreement, canSeeAccounts, policy }: TermsProps) {
  const partner = usePartner();
  const account = serviceAccountOf(agreement);
  return (
    <Facts>
      {account === null ? (
        <Fact name="E-mail address">{agreement.user.email}</Fact>
      ) : (
        <Fact name="Kind">
          {canSeeAccounts ? (
            <Link to="/p/$partner/service-accounts/$account" params={{ partner, account }}>
              Service account
            </Link>
          ) : (
            'Service account'
          )}
        </Fact>
      )}
      <Fact name="Role">{agreement.owner ? 'Owner' : 'Member'}</Fact>
      <Fact name="Ends">
        {agreement.expires_at === null ? <Faint>Never</Faint> : formatExactTime(agreement.expires_at)}
      </Fact>
      <Fact name="Second factor">{agreement.mfa_required ? 'Required' : <Faint>Not required</Faint>}</Fact>
      {canSeeAccounts && account === null && (
        <Fact name="Single sign-on">
          {policy && (policy.sso_required || policy.sso_required_agreement_ids.includes(agreement.id)) ? (
            'Required'
          ) : (
            <Faint>{policy && 'Not required'}</Faint>
          )}
        </Fact>
      )}
      <Fact name="Since" at={agreement.created_at} />
      <Fact name="Agreement" id={agreement.id} />
    </Facts>
  );
}

type Props = { opened: Answer<Agreement>; onClose: () => void };

function AccessDialog({ opened, onClose }: Props) {
  const { can, partner } = useAccess();
  const canSeeGroups = can('acl_permission_groups', 'query');
  const groups = useRead(listAclPermissionGroups, { path: { id: partner } }, { enabled: canSeeGroups });
  const { data: agreement } = opened;
  const [own, setOwn] = useState<AclPermission[]>(agreement.acl_permissions);
  const [ids, setIds] = useState<string[]>(agreement.acl_permission_group_ids);
  const known = new Map(
    [...agreement.acl_permission_groups, ...(groups.data?.data ?? [])].map((group) => [group.id, group]),
  );
  const before = [
    ...agreement.acl_permissions,
    ...agreement.acl_permission_groups.flatMap((group) => group.acl_permissions),
  ];
  const after = [...own, ...ids.flatMap((id) => known.get(id)?.acl_permissions ?? [])];
  return (
    <FormDialog
      title={`Access of ${nameOf(agreement)}`}
      onClose={onClose}
      isWide
      submit="Save the access"
      explain={agreementProblems}
      onSubmit={() => {
        const mine = { acl_permissions: own, ...(canSeeGroups && { acl_permission_group_ids: ids }) };
        return saveAgreement({ partner, opened, mine });
      }}
    >
      {canSeeGroups && <GroupChoice chosen={ids} onChange={setIds} />}
      <FieldSet
        legend="Own permissions"
        help="In addition to the groups. There is no way to deny what a group grants."
      >
        <PermissionPicker label="Own permissions" value={own} onChange={setOwn} mayGive={can} />
      </FieldSet>
      <FieldSet
        legend={
          stateOf(agreement) === 'active'
            ? 'What this changes'
            : 'What this changes once the agreement counts'
        }
      >
        <div aria-live="polite">
          <Changes {...differenceOf(before, after)} />
        </div>
      </FieldSet>
    </FormDialog>
  );
}
