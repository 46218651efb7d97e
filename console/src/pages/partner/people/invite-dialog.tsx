// Invites a person: the address first, then groups and terms on the agreement that it created.
import {
  type Agreement,
  ConcordError,
  createPartnerAgreement,
  getDefaultAclPermissionGroup,
  type UpdateAgreement,
  updatePartnerAgreement,
} from '@concord/client';
import { useState } from 'react';
import { useRead } from '../../../api/read.ts';
import { toast } from '../../../api/toasts.ts';
import { write } from '../../../api/write.ts';
import { MailPlace } from '../../../app/mail-place.tsx';
import { useAccess } from '../../../app/session.ts';
import { fromLocal } from '../../../format/local-time.ts';
import { Button } from '../../../ui/button/button.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { Banner } from '../../../ui/feedback/banner.tsx';
import { Skeleton } from '../../../ui/feedback/loaded.tsx';
import { CheckField, TextField } from '../../../ui/form/field.tsx';
import { Form, type Values } from '../../../ui/form/form.tsx';
import { agreementProblems } from '../messages.ts';
import { GroupChoice } from './group-choice.tsx';

/** The invitation is there, and its terms are not. */
type Half = { readonly agreement: Agreement; readonly terms: UpdateAgreement; readonly error: ConcordError };

export function InviteDialog({ partner, onClose, onInvited }: { partner: string; onClose: () => void; onInvited: () => void }) {
  const { can, rules } = useAccess(partner);
  const canSetTerms = can('agreements', 'patch');
  const canSeeGroups = can('acl_permission_groups', 'query');
  const [half, setHalf] = useState<Half | null>(null);
  const isDefaultRead = canSetTerms && can('acl_permission_groups', 'get');
  const standard = useRead(getDefaultAclPermissionGroup, { path: { id: partner } }, { enabled: isDefaultRead });
  const standardId = standard.data?.data.acl_permission_group_id ?? null;

  function finish(email: string) {
    toast({ tone: 'good', text: `${email} is invited.` });
    onInvited();
    onClose();
  }

  async function setTerms(agreement: Agreement, terms: UpdateAgreement) {
    try {
      const path = { id: partner, agreement_id: agreement.id };
      await write((client) => updatePartnerAgreement({ client, path, body: terms }));
      finish(agreement.user.email);
    } catch (error) {
      if (!(error instanceof ConcordError)) throw error;
      setHalf({ agreement, terms, error });
    }
  }

  async function invite(values: Values) {
    const body = { email: values.text('email').trim(), owner: values.isChecked('owner') };
    const agreement = await write((client) => createPartnerAgreement({ client, path: { id: partner }, body }));
    const terms = agreement === undefined || !canSetTerms ? {} : termsOf(values, agreement, canSeeGroups);
    if (agreement !== undefined && Object.keys(terms).length > 0) return setTerms(agreement, terms);
    finish(body.email);
  }

  if (half !== null) {
    return (
      <Dialog title={`${half.agreement.user.email} is invited, without groups and terms`} onClose={onClose} staysOpen>
        <Banner tone="warning">
          <p>The mail is sent. Setting the groups and terms failed: {half.error.message}</p>
        </Banner>
        <MailPlace />
        <Form
          submit="Set the groups and terms again"
          beside={<Button onClick={onClose}>Leave it as it is</Button>}
          onSubmit={() => setTerms(half.agreement, half.terms)}
        >
          {null}
        </Form>
      </Dialog>
    );
  }
  return (
    <Dialog title="Invite a person" onClose={onClose} staysOpen>
      {isDefaultRead && standard.isPending ? (
        <Skeleton lines={6} />
      ) : (
        <Form submit="Send the invitation" explain={agreementProblems} onSubmit={invite}>
          <TextField
            name="email"
            label="E-mail address"
            type="email"
            required
            autoFocus
            help="A mail with a link goes there. It can be accepted for seven days."
          />
          {rules && <CheckField name="owner" label="Owner" help="May do everything here, and needs no groups." />}
          {canSetTerms && (
            <>
              {canSeeGroups && <GroupChoice partner={partner} chosen={standardId === null ? [] : [standardId]} />}
              <TextField
                name="expires_at"
                label="Access ends"
                type="datetime-local"
                help="In your time zone. Empty: never. A mail warns the person 14 days before."
              />
              <CheckField name="mfa_required" label="Require a second factor" help="Without it the access grants nothing." />
            </>
          )}
        </Form>
      )}
    </Dialog>
  );
}

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
