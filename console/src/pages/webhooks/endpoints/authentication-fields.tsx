// The fields for the access tokens that a receiver demands. The secret is never shown again.
import type { CreateWebhookEndpoint, WebhookEndpoint } from '@concord/client';
import { useState } from 'react';
import { CheckField, SelectField, TextField } from '#ui/form/field.tsx';
import type { Values } from '#ui/form/form.tsx';
import { Columns } from '#ui/layout/page.tsx';

type Present = WebhookEndpoint['authentication'];
const oauth = 'oauth2_client_credentials';

export function AuthenticationFields({ present }: { present: Present }) {
  const [isReplaced, setReplaced] = useState(present === null);
  const [kind, setKind] = useState(present === null ? 'none' : oauth);
  return (
    <>
      {present && (
        <CheckField
          name="replaces_authentication"
          checked={isReplaced}
          onChange={(event) => setReplaced(event.target.checked)}
          label="Replace the access to the receiver"
          help={`Set now: tokens for ${present.client_id} from ${present.token_url}. The secret is never shown.`}
        />
      )}
      {isReplaced && (
        <SelectField
          name="authentication_kind"
          label="Access to the receiver"
          value={kind}
          onChange={(event) => setKind(event.target.value)}
          options={[
            { value: 'none', label: 'Without a token' },
            { value: oauth, label: 'With a token: OAuth 2.0 client credentials' },
          ]}
          help="With a token, Concord gets one at the token URL, and sends it with every webhook."
        />
      )}
      {isReplaced && kind === oauth && <Client present={present} />}
    </>
  );
}

function Client({ present }: { present: Present }) {
  return (
    <>
      <TextField
        name="authentication.token_url"
        label="Token URL"
        type="url"
        required
        spellCheck={false}
        placeholder="https://id.example.com/oauth2/token"
        defaultValue={present?.token_url}
      />
      <Columns>
        <TextField
          name="authentication.client_id"
          label="Client id"
          required
          spellCheck={false}
          defaultValue={present?.client_id}
        />
        <TextField
          name="authentication.client_secret"
          label="Client secret"
          type="password"
          autoComplete="new-password"
          required
          help="It is never shown again."
        />
      </Columns>
      <Columns>
        <TextField
          name="authentication.scope"
          label="Scope"
          spellCheck={false}
          defaultValue={present?.scope ?? ''}
          help="Separate several with spaces. Empty: none."
        />
        <TextField
          name="authentication.audience"
          label="Audience"
          spellCheck={false}
          defaultValue={present?.audience ?? ''}
          help="Only where the token URL asks for it."
        />
      </Columns>
      <SelectField
        name="authentication.client_authentication"
        label="Id and secret are sent"
        defaultValue={present?.client_authentication ?? 'basic'}
        options={[
          { value: 'basic', label: 'In the header Authorization (basic)' },
          { value: 'form', label: 'In the body (form)' },
        ]}
      />
    </>
  );
}

/** Without the member if it stays as it is. */
export function readAuthentication(
  values: Values,
  had: boolean,
): Pick<CreateWebhookEndpoint, 'authentication'> {
  if (had && !values.isChecked('replaces_authentication')) return {};
  if (values.text('authentication_kind') !== oauth) return had ? { authentication: null } : {};
  const text = (name: string) => values.text(`authentication.${name}`);
  return {
    authentication: {
      type: oauth,
      token_url: text('token_url').trim(),
      client_id: text('client_id'),
      client_secret: text('client_secret'),
      scope: values.optional('authentication.scope'),
      audience: values.optional('authentication.audience'),
      client_authentication: text('client_authentication') === 'form' ? 'form' : 'basic',
    },
  };
}
