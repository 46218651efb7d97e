// Invites people: each address first, then groups and terms on the agreement that it created.
import {
  type Agreement,
  ConcordError,
  createPartnerAgreement,
  getDefaultAclPermissionGroup,
  type UpdateAgreement,
  updatePartnerAgreement,
} from '@concord/client';
import { useState } from 'react';
import { useRead } from '#api/read.ts';
import { toast } from '#api/toasts.ts';
import { write } from '#api/write.ts';
import { MailPlace } from '#app/mail-place.tsx';
import { useAccess } from '#app/session.ts';
import { fromLocal } from '#format/local-time.ts';
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
import { acceptUntil, InviteResults, type Result } from './invite-results.tsx';

/** The invitation is there, and its terms are not. */
type Half = { readonly agreement: Agreement; readonly terms: UpdateAgreement; readonly error: ConcordError };

export function InviteDialog({ onClose, onInvited }: { onClose: () => void; onInvited: () => void }) {
  const { can, rules, partner } = useAccess();
  const canSetTerms = can('agreements', 'patch');
  const canSeeGroups = can('acl_permission_groups', 'query');
  const [half, setHalf] = useState<Half | null>(null);
  const isDefaultRead = canSetTerms && can('acl_permission_groups', 'get');
  const standard = useRead(
    getDefaultAclPermissionGroup,
    { path: { id: partner } },
    { enabled: isDefaultRead },
  );
  const standardId = standard.data?.data.acl_permission_group_id ?? null;

  const [until] = useState(() => formatDay(new Date(Date.now() + 7 * 86_400_000)));
  const [results, setResults] = useState<readonly Result[] | null>(null);
  const [typed, setTyped] = useState('');
  const [isOwner, setOwner] = useState(false);
  /** Null: not touched, so it is the default group. */
  const [chosen, setChosen] = useState<readonly string[] | null>(null);
  const groupIds = chosen ?? (standardId === null ? [] : [standardId]);

  function finish(agreement: Agreement) {
    toast({
      tone: 'good',
      text: `${agreement.user.email} is invited. The invitation can be accepted until ${acceptUntil(agreement)}.`,
    });
    onInvited();
    onClose();
  }

  const setTerms = (agreement: Agreement, terms: UpdateAgreement) =>
    write(updatePartnerAgreement, { path: { id: partner, agreement_id: agreement.id }, body: terms });

  async function inviteOne(
    email: string,
    values: Values,
  ): Promise<{ agreement: Agreement; half: Half | null }> {
    const body = { email, owner: values.isChecked('owner') };
    const agreement = await write(createPartnerAgreement, { path: { id: partner }, body });
    const terms = canSetTerms ? termsOf(values, agreement, canSeeGroups) : {};
    if (Object.keys(terms).length === 0) return { agreement, half: null };
    try {
      await setTerms(agreement, terms);
      return { agreement, half: null };
    } catch (error) {
      if (!(error instanceof ConcordError)) throw error;
      return { agreement, half: { agreement, terms, error } };
    }
  }

  async function invite(values: Values) {
    const [first = '', ...others] = splitAddresses(values.text('email'));
    if (others.length === 0) {
      const { agreement, half: left } = await inviteOne(first, values);
      return left === null ? finish(agreement) : setHalf(left);
    }
    const found: Result[] = [];
    for (const email of [first, ...others]) {
      try {
        const { agreement, half: left } = await inviteOne(email, values);
        found.push({ email, agreement, problem: left ? errorText(left.error) : null });
      } catch (error) {
        if (!(error instanceof ConcordError)) throw error;
        found.push({ email, agreement: null, problem: errorText(error, agreementProblems) });
      }
    }
    setResults(found);
    setTyped('');
  }

  function checkFields(values: Values): Fault[] {
    const addresses = splitAddresses(values.text('email'));
    return [
      ...(addresses.length === 0
        ? [{ name: 'email', message: 'Type an address, such as ann@nordlys.example.' }]
        : []),
      ...addresses
        .filter((address) => !/^[^\s@]+@[^\s@]+$/.test(address))
        .slice(0, 1)
        .map((address) => ({
          name: 'email',
          message: `${address} is not an e-mail address. Correct or remove it.`,
        })),
      ...(addresses.length > mostAtOnce
        ? [
            {
              name: 'email',
              message: `Invite at most ${mostAtOnce} people at once. These are ${addresses.length}.`,
            },
          ]
        : []),
      ...findPastEnd(values),
    ];
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
          setTyped(emails.join('\n'));
          setResults(null);
        }}
      />
    );
  }
  if (half !== null) {
    return (
      <Dialog
        title={`${half.agreement.user.email} is invited, without groups and terms`}
        onClose={onClose}
        staysOpen
      >
        <Banner tone="warning">
          The mail is sent. Setting the groups and terms failed: {errorText(half.error)}
        </Banner>
        <MailPlace />
        <Form
          submit="Set the groups and terms again"
          beside={<Button onClick={onClose}>Leave it as it is</Button>}
          onSubmit={async () => {
            try {
              await setTerms(half.agreement, half.terms);
              finish(half.agreement);
            } catch (error) {
              if (!(error instanceof ConcordError)) throw error;
              setHalf({ ...half, error });
            }
          }}
        />
      </Dialog>
    );
  }
  return (
    <Dialog title="Invite people" onClose={onClose} staysOpen>
      {isDefaultRead && standard.isPending ? (
        <Skeleton lines={6} />
      ) : (
        <Form
          submit="Send the invitation"
          explain={agreementProblems}
          check={checkFields}
          beside={<Button onClick={onClose}>Cancel</Button>}
          onSubmit={invite}
        >
          <TextArea
            name="email"
            label="E-mail addresses"
            rows={2}
            defaultValue={typed}
            required
            autoFocus
            help={`One or several, up to ${mostAtOnce}. Each gets a mail with a link, and can accept until ${until}.`}
          />
          {rules && (
            <CheckField
              name="owner"
              label="Owner"
              help="May do everything here, and needs no groups."
              checked={isOwner}
              onChange={({ target }) => setOwner(target.checked)}
            />
          )}
          {canSetTerms && (
            <>
              {canSeeGroups && <GroupChoice chosen={groupIds} onChange={setChosen} />}
              {canSeeGroups && !isOwner && groupIds.length === 0 && <GrantsNothing />}
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
      )}
    </Dialog>
  );
}

const mostAtOnce = 50;

const GrantsNothing = () => (
  <Banner tone="warning">
    This invitation grants nothing: people who accept it can open the partner, but see nothing else. Choose a
    group.
  </Banner>
);

/** Only what differs from the new agreement. */
function termsOf(values: Values, agreement: Agreement, hasGroups: boolean): UpdateAgreement {
  const groups = values.all('acl_permission_group_ids');
  const expires_at = fromLocal(values.optional('expires_at'));
  const differs = groups.toSorted().join() !== agreement.acl_permission_group_ids.toSorted().join();
  return {
    ...(hasGroups && differs && { acl_permission_group_ids: groups }),
    ...(expires_at !== null && { expires_at }),
    ...(values.isChecked('mfa_required') && !agreement.mfa_required && { mfa_required: true }),
  };
}
