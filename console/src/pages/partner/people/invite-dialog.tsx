// Invites people, and shows what became of it.
import { getDefaultAclPermissionGroup } from '@concord/client';
import { useState } from 'react';
import { useRead } from '#api/read.ts';
import { toast } from '#api/toasts.ts';
import { MailPlace } from '#app/mail-place.tsx';
import { useAccess } from '#app/session.ts';
import { formatDay } from '#format/time.ts';
import { errorText } from '#messages/errors.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog/dialog.tsx';
import { Banner, Skeleton } from '#ui/feedback/feedback.tsx';
import { CheckField, TextArea, TextField } from '#ui/form/field.tsx';
import { type Fault, Form, type Values } from '#ui/form/form.tsx';
import { findPastEnd } from '#ui/form/past-end.ts';
import { agreementProblems } from '../messages.ts';
import { splitAddresses } from './agreement.ts';
import { GroupChoice } from './group-choice.tsx';
import { type Invited, inviteAll, inviteOne, setTerms } from './invite.ts';
import { acceptUntil, InviteResults, type Result } from './invite-results.tsx';

/** What stays when addresses are corrected. */
type Draft = {
  email: string;
  isOwner: boolean;
  /** Null: not touched, so it is the default group. */
  groups: readonly string[] | null;
};

export function InviteDialog({ onClose, onInvited }: { onClose: () => void; onInvited: () => void }) {
  const access = useAccess();
  /** Without its groups and terms. */
  const [half, setHalf] = useState<Invited | null>(null);
  const [results, setResults] = useState<readonly Result[] | null>(null);
  const [draft, setDraft] = useState<Draft>({ email: '', isOwner: false, groups: null });
  const change = (changed: Partial<Draft>) => setDraft((old) => ({ ...old, ...changed }));

  function show(invited: Invited) {
    if (invited.error !== null) return setHalf(invited);
    const { agreement } = invited;
    toast({
      tone: 'good',
      text: `${agreement.user.email} is invited. The invitation can be accepted until ${acceptUntil(agreement)}.`,
    });
    onInvited();
    onClose();
  }

  async function invite(values: Values) {
    const [first = '', ...others] = splitAddresses(values.text('email'));
    if (others.length === 0) show(await inviteOne(first, values, access));
    else setResults(await inviteAll([first, ...others], values, access));
  }

  if (results !== null) {
    const close = () => {
      if (results.some(({ agreement }) => agreement !== null)) onInvited();
      onClose();
    };
    return (
      <InviteResults
        results={results}
        onClose={close}
        onAgain={(emails) => {
          change({ email: emails.join('\n') });
          setResults(null);
        }}
      />
    );
  }
  if (half === null)
    return (
      <Dialog title="Invite people" onClose={onClose} staysOpen>
        <InviteForm draft={draft} onChange={change} onSubmit={invite} onClose={onClose} />
      </Dialog>
    );
  return (
    <Dialog
      title={`${half.agreement.user.email} is invited, without groups and terms`}
      onClose={onClose}
      staysOpen
    >
      <Banner tone="warning">
        The mail is sent. Setting the groups and terms failed: {half.error && errorText(half.error)}
      </Banner>
      <MailPlace />
      <Form
        submit="Set the groups and terms again"
        beside={<Button onClick={onClose}>Leave it as it is</Button>}
        onSubmit={async () => show(await setTerms(access.partner, half.agreement, half.terms))}
      />
    </Dialog>
  );
}

type Props = {
  draft: Draft;
  onChange: (changed: Partial<Draft>) => void;
  onSubmit: (values: Values) => Promise<void>;
  onClose: () => void;
};

function InviteForm({ draft, onChange, onSubmit, onClose }: Props) {
  const { can, rules, partner } = useAccess();
  const canSetTerms = can('agreements', 'patch');
  const canSeeGroups = can('acl_permission_groups', 'query');
  const isDefaultRead = canSetTerms && can('acl_permission_groups', 'get');
  const standard = useRead(
    getDefaultAclPermissionGroup,
    { path: { id: partner } },
    { enabled: isDefaultRead },
  );
  const standardId = standard.data?.data.acl_permission_group_id ?? null;
  const [until] = useState(() => formatDay(new Date(Date.now() + 7 * 86_400_000)));
  const groupIds = draft.groups ?? (standardId === null ? [] : [standardId]);
  if (isDefaultRead && standard.isPending) return <Skeleton lines={6} />;
  return (
    <Form
      submit="Send the invitation"
      explain={agreementProblems}
      check={checkFields}
      beside={<Button onClick={onClose}>Cancel</Button>}
      onSubmit={onSubmit}
    >
      <TextArea
        name="email"
        label="E-mail addresses"
        rows={2}
        defaultValue={draft.email}
        required
        autoFocus
        help={`One or several, up to ${mostAtOnce}. Each gets a mail with a link, and can accept until ${until}.`}
      />
      {rules && (
        <CheckField
          name="owner"
          label="Owner"
          help="May do everything here, and needs no groups."
          checked={draft.isOwner}
          onChange={({ target }) => onChange({ isOwner: target.checked })}
        />
      )}
      {canSetTerms && (
        <>
          {canSeeGroups && <GroupChoice chosen={groupIds} onChange={(groups) => onChange({ groups })} />}
          {canSeeGroups && !draft.isOwner && groupIds.length === 0 && <GrantsNothing />}
          <TextField
            name="expires_at"
            label="Access ends"
            type="datetime-local"
            help="Empty: never. A mail warns the person 14 days before."
          />
          <CheckField
            name="mfa_required"
            label="Require a second factor"
            help="Without it the access grants nothing."
          />
        </>
      )}
    </Form>
  );
}

const mostAtOnce = 50;

function checkFields(values: Values): Fault[] {
  const addresses = splitAddresses(values.text('email'));
  const wrong = addresses.find((address) => !/^[^\s@]+@[^\s@]+$/.test(address));
  const messages = [
    addresses.length === 0 && 'Type an address, such as ann@nordlys.example.',
    wrong && `${wrong} is not an e-mail address. Correct or remove it.`,
    addresses.length > mostAtOnce &&
      `Invite at most ${mostAtOnce} people at once. These are ${addresses.length}.`,
  ];
  return [
    ...messages.flatMap((message) => (message ? { name: 'email', message } : [])),
    ...findPastEnd(values),
  ];
}

const GrantsNothing = () => (
  <Banner tone="warning">
    This invitation grants nothing: people who accept it can open the partner, but see nothing else. Choose a
    group.
  </Banner>
);
