// Changes the sign-in policy, and says what follows before it is saved.
import type { SignInPolicy } from '@concord/client';
import { useState } from 'react';
import { type Answer, isCode } from '#api/read.ts';
import { useAccess } from '#app/session.ts';
import { FormDialog } from '#ui/dialog/form-dialog.tsx';
import { Banner } from '#ui/feedback/banner.tsx';
import { CheckField, FieldSet, SelectField } from '#ui/form/field.tsx';
import type { Values } from '#ui/form/form.tsx';
import { agesWith } from './policy-messages.ts';
import { ProveFirst } from './prove-first.tsx';
import { savePolicy } from './save-policy.ts';

export type Owner = { readonly id: string; readonly name: string; readonly email: string };

type Props = {
  opened: Answer<SignInPolicy>;
  owners: readonly Owner[];
  /** One is on. */
  hasConnection: boolean;
  nameOf: (id: string) => string;
  onClose: () => void;
};

export function PolicyDialog({ opened, owners, hasConnection, nameOf, onClose }: Props) {
  const { sso_required, max_age_seconds, break_glass_agreement_ids: named } = opened.data;
  const { isOperator, partner } = useAccess();
  const [isRequired, setRequired] = useState(sso_required);
  const [mustProve, setMustProve] = useState(false);
  const isLocked = !hasConnection && !sso_required;

  async function submit(values: Values): Promise<void> {
    const mine = {
      sso_required: isRequired,
      max_age_seconds: Number(values.text('max_age_seconds')),
      break_glass_agreement_ids: values.all('break_glass').toSorted(),
    };
    try {
      await savePolicy({ partner, opened, mine, nameOf });
      onClose();
    } catch (error) {
      if (isOperator || !hasConnection || !isCode(error, 'connection_required')) throw error;
      setMustProve(true);
    }
  }

  return (
    <FormDialog
      title="Required sign-in"
      description="To require it of one person only, change the terms of that agreement under People."
      onClose={onClose}
      submit="Save"
      onSubmit={submit}
    >
      <CheckField
        name="sso_required"
        label="Everybody must sign in with the identity provider"
        help={
          isLocked
            ? 'Turn a connection on first: add one, test it, and press "Turn on".'
            : 'If not, it is one way to sign in among others.'
        }
        checked={isRequired}
        disabled={isLocked}
        onChange={({ target }) => setRequired(target.checked)}
      />
      {isRequired && !sso_required && <Consequences />}
      <SelectField
        name="max_age_seconds"
        label="A sign-in counts for"
        defaultValue={String(max_age_seconds)}
        options={agesWith(max_age_seconds)}
        help="Then people sign in at the provider again."
      />
      <FieldSet
        legend="Break glass"
        help="They may work without the provider for an hour, with a second factor. All owners get a mail each time. Name at least two. If you name nobody who has a second factor, each owner may."
      >
        {owners.map(({ id, name, email }) => (
          <CheckField
            key={id}
            name="break_glass"
            value={id}
            label={name}
            help={email}
            defaultChecked={named.includes(id)}
          />
        ))}
        {owners.length === 0 && <p>This partner has no owner. Invite one first, so that somebody may.</p>}
      </FieldSet>
      {mustProve && <ProveFirst />}
    </FormDialog>
  );
}

function Consequences() {
  return (
    <Banner tone="warning" title="From the moment you save">
      <p>People without an account at the provider are locked out, until they have one. Nobody is removed.</p>
      <p>People who are signed in with a password sign in at the provider, in the same session.</p>
      <p>Access tokens of people do not work here any more.</p>
      <p>Service accounts and their tokens work as before. Operators of this Concord are not bound.</p>
    </Banner>
  );
}
