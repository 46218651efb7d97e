// Asks for permissions that a person lacks: which of one resource, for how long, and why.
import { type CreateAccessRequest, createAccessRequest } from '@concord/client';
import { useState } from 'react';
import { write } from '#api/write.ts';
import { durations } from '#messages/access-requests.ts';
import { type Method, methods, permissionName, type Resource } from '#messages/permissions.ts';
import { FormDialog } from '#ui/dialog/form-dialog.tsx';
import { CheckField, FieldSet, SelectField, TextArea } from '#ui/form/field.tsx';
import { useAccess } from './session.ts';

type Props = { resource: Resource; method: Method; onClose: () => void };

export function AskForAccess({ resource, method, onClose }: Props) {
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
      onSubmit={async (values) => {
        const body: CreateAccessRequest = {
          permissions: chosen.map((one) => `${resource}.${one}` as const),
          duration_seconds: Number(values.text('duration_seconds')),
          reason: values.text('reason').trim(),
        };
        await write(
          createAccessRequest,
          { path: { id: partner }, body },
          { done: 'You have asked for access.' },
        );
        onClose();
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
