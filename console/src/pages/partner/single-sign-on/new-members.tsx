// Who becomes a member by a sign-in with the connection, and what they get.
import type { IdentityConnection } from '@concord/client';
import { useState } from 'react';
import type { Answer } from '../../../api/read.ts';
import { useConflict } from '../../../ui/dialog/use-conflict.tsx';
import { CheckField, TextField } from '../../../ui/form/field.tsx';
import { Form } from '../../../ui/form/form.tsx';
import { Section } from '../../../ui/layout/page.tsx';
import { GroupChoice } from '../people/group-choice.tsx';
import { saveConnection } from './save-connection.ts';

type Props = { partner: string; opened: Answer<IdentityConnection> };

export function NewMembers({ partner, opened }: Props) {
  const { admits_new_members, terms } = opened.data;
  const [admits, setAdmits] = useState(admits_new_members);
  const conflict = useConflict('this connection');
  return (
    <Section
      title="New members"
      about="You answer for these terms: nobody gets more than you may grant yourself at the moment of the sign-in."
    >
      <Form
        submit="Save the terms"
        look="secondary"
        onSubmit={(values) => {
          const days = values.optional('terms.days');
          const mine = {
            admits_new_members: values.isChecked('admits_new_members'),
            terms: {
              acl_permission_group_ids: values.all('acl_permission_group_ids'),
              days: days === null ? null : Number(days),
              mfa_required: values.isChecked('terms.mfa_required'),
            },
          };
          return saveConnection({ partner, opened, mine, ask: conflict.ask });
        }}
      >
        <CheckField
          name="admits_new_members"
          label="People of the verified domains become members at their first sign-in"
          help={
            admits
              ? 'Anybody to whom the provider gives Concord joins. With a provisioning token, the directory decides instead.'
              : 'Others need an invitation.'
          }
          checked={admits}
          onChange={(event) => setAdmits(event.target.checked)}
        />
        <GroupChoice
          partner={partner}
          chosen={terms.acl_permission_group_ids}
          help="Of new members. Those who have access already keep what they have."
        />
        <TextField
          name="terms.days"
          label="Access ends after"
          type="number"
          min={1}
          max={3650}
          defaultValue={terms.days ?? ''}
          help="In days. Empty: it does not end."
        />
        <CheckField
          name="terms.mfa_required"
          label="Require a second factor at Concord"
          defaultChecked={terms.mfa_required}
          help="In addition to what the identity provider asks for."
        />
      </Form>
      {conflict.dialog}
    </Section>
  );
}
