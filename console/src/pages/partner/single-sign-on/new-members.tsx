// Who becomes a member by a sign-in with the connection, and what they get.
import { getConnection, type IdentityConnection } from '@concord/client';
import { useState } from 'react';
import { queryClient } from '#api/query-client.ts';
import { type Answer, read } from '#api/read.ts';
import { useBase } from '#api/use-base.ts';
import { usePartner } from '#app/address.ts';
import { CheckField, TextField } from '#ui/form/field.tsx';
import { Form } from '#ui/form/form.tsx';
import { Section } from '#ui/layout/page.tsx';
import { GroupChoice } from '../people/group-choice.tsx';
import { saveConnection } from './save-connection.ts';

type Props = { answer: Answer<IdentityConnection> };
type Fields = Pick<IdentityConnection, 'admits_new_members' | 'terms'>;

const versionOf = ({ data: { admits_new_members, terms }, etag }: Answer<IdentityConnection>) => ({
  data: { admits_new_members, terms },
  etag,
});

export function NewMembers({ answer }: Props) {
  const partner = usePartner();
  const { base, key, onEdit, follow } = useBase<Fields>(versionOf(answer));
  async function save(mine: Fields): Promise<void> {
    const opened = { data: { ...answer.data, ...base.data }, etag: base.etag };
    await saveConnection({ partner, opened, mine });
    const path = { id: partner, connection_id: answer.data.id };
    follow(versionOf(await queryClient.fetchQuery(read(getConnection, { path }))), mine);
  }
  return (
    <Section
      title="New members"
      about="You answer for these terms: nobody gets more than you may grant yourself at the moment of the sign-in."
    >
      <Terms key={key} onEdit={onEdit} opened={base.data} onSave={save} />
    </Section>
  );
}

type TermsProps = {
  opened: Fields;
  onEdit: () => void;
  onSave: (mine: Fields) => Promise<void>;
};

function Terms({ opened: { admits_new_members, terms }, onEdit, onSave }: TermsProps) {
  const [admits, setAdmits] = useState(admits_new_members);
  const [groups, setGroups] = useState(terms.acl_permission_group_ids);
  return (
    <Form
      submit="Save the terms"
      look="secondary"
      onEdit={onEdit}
      onSubmit={(values) => {
        const days = values.optional('terms.days');
        return onSave({
          admits_new_members: admits,
          terms: {
            acl_permission_group_ids: groups,
            days: days === null ? null : Number(days),
            mfa_required: values.isChecked('terms.mfa_required'),
          },
        });
      }}
    >
      <CheckField
        name="admits_new_members"
        label="People of the verified domains become members at their first sign-in"
        help={
          admits
            ? 'Anybody whom the provider lets sign in joins. With a provisioning token, the directory decides instead.'
            : 'Others need an invitation.'
        }
        checked={admits}
        onChange={(event) => setAdmits(event.target.checked)}
      />
      <GroupChoice
        chosen={groups}
        onChange={setGroups}
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
  );
}
