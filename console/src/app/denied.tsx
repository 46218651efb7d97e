// In the place of what a person may not see: which permission it needs, who can give it, and how to ask.
import { createAccessRequest, listAccessRequests, listGrantors } from '@concord/client';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead } from '#api/read.ts';
import { write } from '#api/write.ts';
import { durations } from '#messages/access-requests.ts';
import { type Method, methods, permissionName, type Resource } from '#messages/permissions.ts';
import { DialogButton, FormDialog } from '#ui/dialog/dialog.tsx';
import { Empty } from '#ui/feedback/empty.tsx';
import { CheckField, FieldSet, SelectField, TextArea } from '#ui/form/field.tsx';
import { usePartner } from './address.ts';
import { useAccess } from './session.ts';

type Props = { resource: Resource; method: Method };

export function Denied({ resource, method }: Props) {
  const { agreement, can, partner } = useAccess();
  const permission = `${resource}.${method}` as const;
  const { data } = useRead(listGrantors, { path: { id: partner }, query: { permission } });
  const names =
    data?.data.slice(0, 5).map(({ name, email }) => (email === null ? name : `${name} (${email})`)) ?? [];
  // A member who holds it is refused for another reason, and cannot ask.
  const mayAsk = agreement !== null && !can(resource, method);
  return (
    <Empty action={mayAsk && <Ask resource={resource} method={method} agreementId={agreement.id} />}>
      You need the permission <code>{permission}</code> to see this.
      {names.length > 0 && ` ${mayAsk ? 'Who can give it' : 'Ask for it'}: ${names.join(', ')}.`}
    </Empty>
  );
}

function Ask({ resource, method, agreementId }: Props & { agreementId: string }) {
  const partner = usePartner();
  const pending = useRead(listAccessRequests, {
    path: { id: partner },
    query: { 'filter[agreement_id]': agreementId, 'filter[state]': 'pending' },
  });
  if (pending.data?.data.some(({ permissions }) => permissions.includes(`${resource}.${method}`))) {
    return (
      <p>
        You have asked for it. The answer comes by mail.{' '}
        <Link to="/p/$partner/access-requests" params={{ partner }}>
          See the request
        </Link>
      </p>
    );
  }
  return (
    <DialogButton
      look="primary"
      dialog={(onClose) => <AskForAccess resource={resource} method={method} onClose={onClose} />}
    >
      Ask for access
    </DialogButton>
  );
}

function AskForAccess({ resource, method, onClose }: Props & { onClose: () => void }) {
  const { can, partner } = useAccess();
  const [chosen, setChosen] = useState<readonly Method[]>([method]);
  const toggle = (one: Method) =>
    setChosen(chosen.includes(one) ? chosen.filter((other) => other !== one) : [...chosen, one]);
  return (
    <FormDialog
      title="Ask for access"
      description="People who may give this access get a mail. Once one of them approves, it works at once."
      onClose={onClose}
      submit="Send the request"
      check={() => (chosen.length === 0 ? [{ name: 'permissions', message: 'Choose at least one.' }] : [])}
      onSubmit={(values) => {
        const body = {
          permissions: chosen.map((one) => `${resource}.${one}` as const),
          duration_seconds: Number(values.text('duration_seconds')),
          reason: values.text('reason').trim(),
        };
        return write(
          createAccessRequest,
          { path: { id: partner }, body },
          { done: 'You have asked for access.' },
        );
      }}
    >
      <FieldSet legend="What you need">
        {methods
          .filter((one) => !can(resource, one))
          .map((one) => (
            <CheckField
              key={one}
              label={permissionName(resource, one)}
              checked={chosen.includes(one)}
              onChange={() => toggle(one)}
            />
          ))}
      </FieldSet>
      <SelectField
        name="duration_seconds"
        label="For how long"
        help="From the approval on. Then it ends by itself."
        options={durations}
        defaultValue="14400"
      />
      <TextArea
        name="reason"
        label="Why"
        help="Those who decide read it."
        maxLength={500}
        rows={3}
        required
      />
    </FormDialog>
  );
}
