// The issuer, and the client that Concord is there. The secret is never shown again.
import type { CreateIdentityConnection, IdentityConnection } from '@concord/client';
import { useState } from 'react';
import { SelectField, TextField } from '#ui/form/field.tsx';
import type { Values } from '#ui/form/form.tsx';
import { authentications, type providers } from './messages.ts';

type Client = Pick<CreateIdentityConnection, 'issuer' | 'client_id' | 'authentication' | 'client_secret'>;

export function readClient(values: Values): Client {
  const authentication = values.text('authentication') as IdentityConnection['authentication'];
  const secret = values.optional('client_secret');
  return {
    issuer: values.text('issuer').trim(),
    client_id: values.text('client_id').trim(),
    authentication,
    ...(secret !== null && { client_secret: secret }),
  };
}

type Props = { provider: (typeof providers)[number]; present?: IdentityConnection };

export function ClientFields({ provider, present }: Props) {
  const first = present?.authentication ?? 'client_secret_basic';
  const [authentication, setAuthentication] = useState<string>(first);
  const hadSecret = present !== undefined && first !== 'private_key_jwt';
  return (
    <>
      <TextField
        name="issuer"
        label="Issuer"
        type="url"
        isCode
        required
        spellCheck={false}
        placeholder={provider.issuer}
        defaultValue={present?.issuer ?? (provider.isShared ? provider.issuer : '')}
        help="Exactly as the provider writes it, also the slash at its end. Concord reads its discovery document when you save."
      />
      <TextField
        name="client_id"
        label="Client id"
        isCode
        required
        spellCheck={false}
        defaultValue={present?.client_id}
      />
      <SelectField
        name="authentication"
        label="Authentication"
        value={authentication}
        onChange={(event) => setAuthentication(event.target.value)}
        options={authentications}
        help={
          authentication === 'private_key_jwt'
            ? 'You copy its public half to the provider afterwards. Not for Microsoft Entra ID and Google.'
            : 'How Concord proves to the provider that it is this client. Most providers take both.'
        }
      />
      {authentication !== 'private_key_jwt' && (
        <TextField
          name="client_secret"
          label="Client secret"
          type="password"
          autoComplete="new-password"
          required={!hadSecret}
          help={
            hadSecret
              ? 'Empty: the present one stays, with the present issuer. It is never shown.'
              : 'It is kept sealed, and never shown again.'
          }
        />
      )}
    </>
  );
}
