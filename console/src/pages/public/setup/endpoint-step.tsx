// Step 5: the first endpoint. Without a receiver of their own people take Concord's sandbox receiver.
import { createWebhookEndpoint, putSandboxReceiver } from '@concord/client';
import { useState } from 'react';
import { type ForClient, write } from '#api/write.ts';
import { CheckField, FieldSet, TextField } from '#ui/form/field.tsx';
import { Form } from '#ui/form/form.tsx';
import { Section } from '#ui/layout/page.tsx';
import { Next, Skip } from './next-button.tsx';
import { useProgress } from './steps.ts';

export function EndpointStep() {
  const progress = useProgress();
  const { partner } = progress.made;
  const [isOwn, setOwn] = useState(false);
  if (partner === undefined) return <NeedsPartner />;
  return (
    <Section
      title="Create an endpoint"
      about="An endpoint is a URL to which Concord sends the partner's events. This one is for the sandbox: nothing live is sent there."
    >
      <Form
        submit="Create the endpoint"
        beside={<Skip to="test" />}
        explain={{
          invalid_request: 'Concord cannot send to this URL. Use one with https that it can reach.',
        }}
        onSubmit={async (values) => {
          const made = await write(async ({ client }: ForClient) => {
            const path = { id: partner };
            const url = isOwn ? values.text('url').trim() : (await putSandboxReceiver({ client, path })).url;
            return createWebhookEndpoint({ client, path, body: { url, environment: 'sandbox' } });
          }, {});
          progress.to('test', { endpoint: made.id });
        }}
      >
        <FieldSet legend="Where events go">
          <CheckField
            kind="radio"
            name="where"
            label="The sandbox receiver of Concord"
            help="It keeps the requests and checks their signatures. You need nothing else."
            checked={!isOwn}
            onChange={() => setOwn(false)}
          />
          <CheckField
            kind="radio"
            name="where"
            label="A URL of my own"
            checked={isOwn}
            onChange={() => setOwn(true)}
          />
        </FieldSet>
        {isOwn && (
          <TextField
            name="url"
            label="URL"
            type="url"
            placeholder="https://orders.example.com/webhooks"
            help="With https, at a public address. The settings CONCORD_WEBHOOK_ALLOW_HTTP and CONCORD_WEBHOOK_ALLOWED_CIDRS allow others. For a receiver on this computer, use the sandbox receiver first."
            required
            isCode
            autoFocus
          />
        )}
      </Form>
    </Section>
  );
}

const NeedsPartner = () => (
  <Section title="Create an endpoint" about="An endpoint belongs to a partner, so a partner comes first.">
    <Next to="partner">Go back to the first partner</Next>
  </Section>
);
