// Changes the terms of an agreement: when it ends, and whether it needs a second factor.
import type { Agreement, SignInPolicy } from '@concord/client';
import { useState } from 'react';
import { type Answer, isCode } from '#api/read.ts';
import { useAccess } from '#app/session.ts';
import { fromLocal, toLocal } from '#format/local-time.ts';
import { FormDialog } from '#ui/dialog/dialog.tsx';
import { CheckField, TextField } from '#ui/form/field.tsx';
import { findPastEnd } from '#ui/form/past-end.ts';
import { agreementProblems } from '../messages.ts';
import { ProveFirst } from '../single-sign-on/prove-first.tsx';
import { requireOfAgreement } from '../single-sign-on/save-policy.ts';
import { nameOf, serviceAccountOf } from './agreement.ts';
import { saveAgreement } from './save-agreement.ts';

type Props = {
  opened: Answer<Agreement>;
  /** Undefined: the person may not read it. */
  policy: SignInPolicy | undefined;
  onClose: () => void;
};

const termsProblems = {
  ...agreementProblems,
  connection_required:
    'To require it, the partner needs an identity provider that is on: set one up under Single sign-on.',
};
const operatorProblems = {
  ...termsProblems,
  last_owner: `${agreementProblems.last_owner} An operator can end the ownership first.`,
};

export function TermsDialog({ opened, policy, onClose }: Props) {
  const { rules, isOperator, partner } = useAccess();
  const [mustProve, setMustProve] = useState(false);
  const { id, expires_at, mfa_required, owner } = opened.data;
  const isPerson = serviceAccountOf(opened.data) === null;
  // Owners and operators decide who needs no second factor any more.
  const canChooseFactor = rules || !mfa_required;
  const shownEnd = toLocal(expires_at) || null;
  const needsSignIn = policy?.sso_required_agreement_ids.includes(id) ?? false;
  return (
    <FormDialog
      title={`Terms of ${nameOf(opened.data)}`}
      onClose={onClose}
      submit="Save the terms"
      explain={isOperator ? operatorProblems : termsProblems}
      check={(values) => (values.optional('expires_at') === shownEnd ? [] : findPastEnd(values))}
      onSubmit={async (values) => {
        const local = values.optional('expires_at');
        const mine = {
          // A time that was not touched keeps its seconds.
          expires_at: local === shownEnd ? expires_at : fromLocal(local),
          ...(isPerson && canChooseFactor && { mfa_required: values.isChecked('mfa_required') }),
        };
        const asksSignIn = values.isChecked('sso_required');
        if (isPerson && policy?.sso_required === false && asksSignIn !== needsSignIn)
          try {
            await requireOfAgreement(partner, id, asksSignIn);
          } catch (error) {
            if (isOperator || !isCode(error, 'connection_required')) throw error;
            setMustProve(true);
            return false;
          }
        return saveAgreement({ partner, opened, mine });
      }}
    >
      <TextField
        name="expires_at"
        label="Access ends"
        type="datetime-local"
        defaultValue={toLocal(expires_at)}
        help={
          owner
            ? 'Empty: never. An owner whose access ends does not count as the last one.'
            : 'Empty: never. A mail warns the person 14 days before. To end the access now, remove the person.'
        }
      />
      {isPerson && (
        <CheckField
          name="mfa_required"
          label="Require a second factor"
          defaultChecked={mfa_required}
          disabled={!canChooseFactor}
          help={
            canChooseFactor
              ? 'The agreement grants nothing in a session without one.'
              : 'Only owners can take this requirement away.'
          }
        />
      )}
      {isPerson && policy !== undefined && (
        <CheckField
          name="sso_required"
          label="Require a sign-in with the identity provider"
          defaultChecked={policy.sso_required || needsSignIn}
          disabled={policy.sso_required}
          help={
            policy.sso_required
              ? 'It is required of everybody at this partner, under Single sign-on.'
              : 'The agreement grants nothing in a session without one. Access tokens of this person do not work here then.'
          }
        />
      )}
      {mustProve && <ProveFirst />}
    </FormDialog>
  );
}
