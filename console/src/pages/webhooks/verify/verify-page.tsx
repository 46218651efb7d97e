// Verifies a request that somebody captured, and says which step fails.
import {
  type CapturedWebhook,
  parseCapturedWebhook,
  type Verification,
  verifyCapturedWebhook,
} from '@concord/client';
import { useState } from 'react';
import { write } from '#api/write.ts';
import { CheckField, SelectField, TextArea, TextField } from '#ui/form/field.tsx';
import { Form, type Values } from '#ui/form/form.tsx';
import { Columns, Page, Section, Stack } from '#ui/layout/page.tsx';
import { Fact, Facts, Soft } from '#ui/text/text.tsx';
import { VerificationResult } from '../shared/verification.tsx';

type Checked = { readonly request: CapturedWebhook; readonly url: string; readonly result: Verification };

export function VerifyRequestPage() {
  const [faults, setFaults] = useState<{ captured?: string; url?: string }>({});
  const [checked, setChecked] = useState<Checked>();

  async function verify(values: Values) {
    setFaults({});
    setChecked(undefined);
    const request = tryToParse(values.text('captured'));
    if (typeof request === 'string') return setFaults({ captured: request });
    const url = values.optional('url') ?? request.url;
    if (url === null)
      return setFaults({
        url: 'The text does not say where the request went. Give the URL of the endpoint.',
      });
    const chosen = values.text('environment');
    const at = values.isChecked('must_be_recent') ? null : request.signedAt;
    const body = {
      method: request.method,
      url,
      headers: request.headers.map(([name, value]) => ({ name, value })),
      body: new TextDecoder('utf-8', { ignoreBOM: true }).decode(request.body),
      environment: chosen === 'live' || chosen === 'sandbox' ? chosen : request.environment,
      ...(at !== null && { at: new Date(at).toISOString() }),
    };
    const result = await write(verifyCapturedWebhook, { body }, { keepsCache: true });
    setChecked({ request, url, result });
  }

  return (
    <Page
      title="Verify a request"
      about="Paste a webhook as your receiver got it. Concord says whether it signed it, and which step of the verification fails."
    >
      <Columns>
        <Form submit="Verify the request" isWide onSubmit={verify}>
          <TextArea
            name="captured"
            label="Captured request"
            isCode
            rows={16}
            spellCheck={false}
            required
            fault={faults.captured}
            placeholder={
              'POST /concord HTTP/1.1\nHost: hooks.example.com\nContent-Type: application/json\n…\n\n{"id":"evt_…"}'
            }
            help="As HTTP, as curl --verbose prints it, as a curl command, or the JSON of an attempt. The delivery page copies HTTP and curl."
          />
          <TextField
            name="url"
            label="URL of the endpoint"
            type="url"
            spellCheck={false}
            fault={faults.url}
            help="Exactly as the endpoint shows it. Empty: https, the host and the path of the request."
          />
          <SelectField
            name="environment"
            label="Environment"
            options={[
              { value: '', label: 'As the event says' },
              { value: 'live', label: 'Live' },
              { value: 'sandbox', label: 'Sandbox' },
            ]}
          />
          <CheckField
            name="must_be_recent"
            label="It must be recent"
            help="Also checks that it was signed in the last five minutes, as a receiver does."
          />
        </Form>
        <Section title="Result">
          <div role="status">
            {checked === undefined ? <Soft>The result appears here.</Soft> : <Result checked={checked} />}
          </div>
        </Section>
      </Columns>
    </Page>
  );
}

function Result({ checked: { request, url, result } }: { checked: Checked }) {
  return (
    <Stack>
      <VerificationResult result={result} />
      <Facts>
        <Fact name="Read as">
          {request.method} {url}
        </Fact>
        <Fact name="Headers">{request.headers.length}</Fact>
        <Fact name="Body">{request.body.length} bytes</Fact>
      </Facts>
    </Stack>
  );
}

function tryToParse(text: string): CapturedWebhook | string {
  try {
    return parseCapturedWebhook(new TextEncoder().encode(text));
  } catch (error) {
    return `${(error as Error).message}.`;
  }
}
