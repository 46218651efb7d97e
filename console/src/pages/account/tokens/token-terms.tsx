// The terms of an access token: its name, what it may do, with which partners, and until when.
import { type AclPermission, type CreateAccessToken, listOwnAgreements } from '@concord/client';
import { type ReactNode, useState } from 'react';
import { useRead } from '#api/read.ts';
import { Button } from '#ui/button.tsx';
import { CheckField, FieldSet, SelectField, TextField } from '#ui/form/field.tsx';
import type { Values } from '#ui/form/form.tsx';
import { Row } from '#ui/layout/page.tsx';
import { PermissionPicker } from '#ui/permissions/permission-picker.tsx';
import { none } from '#ui/permissions/permission-sets.ts';

const all = { get: true, query: true, post: true, patch: true, put: true, delete: true };
const readOnly: AclPermission[] = [{ ...none, resource: '*', get: true, query: true }];
const everything: AclPermission[] = [{ ...all, resource: '*' }];
/** What the command line uses. */
export const webhooks: AclPermission[] = (['webhook_endpoints', 'events', 'deliveries'] as const).map(
  (resource) => ({ ...all, resource }),
);

const dayMs = 86_400_000;
const lifetimes = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '365 days' },
];

type Terms = {
  fields: ReactNode;
  read: (values: Values) => CreateAccessToken;
};

type Start = { name?: string; scopes?: AclPermission[]; onePartner?: boolean };

/** What the form begins with. `onePartner`: the first partner of the person, not all. */
export function useTokenTerms({ name = '', scopes: first = readOnly, onePartner = false }: Start): Terms {
  const [scopes, setScopes] = useState<AclPermission[]>(first);
  const [isLimited, setLimited] = useState(onePartner);
  const agreements = useRead(listOwnAgreements, {});
  const partners =
    agreements.data?.data.filter(({ accepted }) => accepted).map(({ partner }) => partner) ?? [];
  const read = (values: Values) => ({
    name: values.text('name').trim(),
    scopes,
    expires_at: new Date(Date.now() + Number(values.text('expires_at')) * dayMs).toISOString(),
    // Until the partners are known nothing is sent that means all of them.
    ...(isLimited && (!agreements.data || partners.length > 0) && { partner_ids: values.all('partner_ids') }),
  });
  const fields = (
    <>
      <TextField
        name="name"
        label="Name"
        help="What uses it: CI, nightly export."
        defaultValue={name}
        maxLength={100}
        required
        autoFocus
      />
      <FieldSet legend="What it may do" help="Never more than you may do yourself.">
        <Row>
          <Button onClick={() => setScopes(readOnly)}>Read only</Button>
          <Button onClick={() => setScopes(webhooks)}>Webhooks</Button>
          <Button onClick={() => setScopes(everything)}>Everything</Button>
          <Button onClick={() => setScopes([])}>Nothing</Button>
        </Row>
        <PermissionPicker label="What the token may do" value={scopes} onChange={setScopes} />
      </FieldSet>
      {partners.length > 0 && (
        <FieldSet legend="Partners">
          <CheckField
            kind="radio"
            name="limit"
            label="All partners that you have access to, now and later"
            checked={!isLimited}
            onChange={() => setLimited(false)}
          />
          <CheckField
            kind="radio"
            name="limit"
            label="Only these"
            checked={isLimited}
            onChange={() => setLimited(true)}
          />
          {isLimited &&
            partners.map(({ id, name }, index) => (
              <CheckField
                key={id}
                name="partner_ids"
                value={id}
                label={name}
                defaultChecked={onePartner && index === 0}
              />
            ))}
        </FieldSet>
      )}
      <SelectField
        name="expires_at"
        label="Expires in"
        help="A mail warns you a week before it ends."
        defaultValue="90"
        options={lifetimes}
      />
    </>
  );
  return { fields, read };
}
