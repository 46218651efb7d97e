// Who becomes a member by a sign-in with the connection, and what they get.
import type { IdentityConnection } from '@concord/client';
import { useState } from 'react';
import type { Answer } from '../../../api/read.ts';
import { useConflict } from '../../../ui/dialog/use-conflict.tsx';
import { CheckField, TextField } from '../../../ui/form/field.tsx';
import { Form } from '../../../ui/form/form.tsx';
import { Section } from '../../../ui/layout/page.tsx';
import { GroupChoice } from '../people/group-choice.tsx';
import { connectionWords, memberWords } from './messages.ts';
import { saveConnection } from './save-connection.ts';

type Props = { partner: string; opened: Answer<IdentityConnection> };

export function NewMembers({ partner, opened }: Props) {
  const { admits_new_members, terms } = opened.data;
  const [admits, setAdmits] = useState(admits_new_members);
  const conflict = useConflict(connectionWords.conflict);
  return (
    <Section title={memberWords.title} about={memberWords.about}>
      <Form
        submit={memberWords.save}
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
          label={memberWords.admits}
          help={admits ? memberWords.anybody : memberWords.others}
          checked={admits}
          onChange={(event) => setAdmits(event.target.checked)}
        />
        <GroupChoice
          partner={partner}
          chosen={terms.acl_permission_group_ids}
          help={memberWords.groupsHelp}
        />
        <TextField
          name="terms.days"
          label={memberWords.days}
          type="number"
          min={1}
          max={3650}
          defaultValue={terms.days ?? ''}
          help={memberWords.daysHelp}
        />
        <CheckField
          name="terms.mfa_required"
          label={memberWords.factor}
          defaultChecked={terms.mfa_required}
          help={memberWords.factorHelp}
        />
      </Form>
      {conflict.dialog}
    </Section>
  );
}
