// Changes the sign-in policy, and says what follows before it is saved.
import type { SignInPolicy } from '@concord/client';
import { useState } from 'react';
import { type Answer, isCode } from '../../../api/read.ts';
import { useAccess } from '../../../app/session.ts';
import { Button } from '../../../ui/button/button.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { useConflict } from '../../../ui/dialog/use-conflict.tsx';
import { Banner } from '../../../ui/feedback/banner.tsx';
import { CheckField, FieldSet, SelectField } from '../../../ui/form/field.tsx';
import { Form, type Values } from '../../../ui/form/form.tsx';
import { agesWith, policyWords } from './policy-messages.ts';
import { ProveFirst } from './prove-first.tsx';
import { savePolicy } from './save-policy.ts';

export type Owner = { readonly id: string; readonly name: string; readonly email: string };

type Props = {
  partner: string;
  opened: Answer<SignInPolicy>;
  owners: readonly Owner[];
  /** One is on. */
  hasConnection: boolean;
  nameOf: (id: string) => string;
  onClose: () => void;
};

export function PolicyDialog({ partner, opened, owners, hasConnection, nameOf, onClose }: Props) {
  const { sso_required, max_age_seconds, break_glass_agreement_ids: named } = opened.data;
  const { isOperator } = useAccess(partner);
  const conflict = useConflict(policyWords.conflict);
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
      await savePolicy({ partner, opened, mine, nameOf, ask: conflict.ask });
      onClose();
    } catch (error) {
      if (isOperator || !hasConnection || !isCode(error, 'connection_required')) throw error;
      setMustProve(true);
    }
  }

  return (
    <Dialog title={policyWords.title} description={policyWords.dialogAbout} onClose={onClose} staysOpen>
      <Form
        submit={policyWords.save}
        beside={<Button onClick={onClose}>{policyWords.cancel}</Button>}
        onSubmit={submit}
      >
        <CheckField
          name="sso_required"
          label={policyWords.required}
          help={isLocked ? policyWords.noConnection : policyWords.requiredHelp}
          checked={isRequired}
          disabled={isLocked}
          onChange={({ target }) => setRequired(target.checked)}
        />
        {isRequired && !sso_required && <Consequences />}
        <SelectField
          name="max_age_seconds"
          label={policyWords.age}
          defaultValue={String(max_age_seconds)}
          options={agesWith(max_age_seconds)}
          help={policyWords.ageHelp}
        />
        <FieldSet legend={policyWords.glass} help={`${policyWords.glassHelp} ${policyWords.glassEmpty}`}>
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
          {owners.length === 0 && <p>{policyWords.noOwner}</p>}
        </FieldSet>
        {mustProve && <ProveFirst partner={partner} />}
      </Form>
      {conflict.dialog}
    </Dialog>
  );
}

function Consequences() {
  const { consequences, people, sessions, tokens, programs } = policyWords;
  return (
    <Banner tone="warning" title={consequences}>
      {[people, sessions, tokens, programs].map((text) => (
        <p key={text}>{text}</p>
      ))}
    </Banner>
  );
}
