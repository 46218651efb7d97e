// The dialog that creates an endpoint.
import { createWebhookEndpoint, putSandboxReceiver } from '@concord/client';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useWrite, write } from '#api/write.ts';
import { usePartner } from '#app/address.ts';
import { Button } from '#ui/button.tsx';
import { FormDialog } from '#ui/dialog/dialog.tsx';
import { SelectField } from '#ui/form/field.tsx';
import { Row } from '#ui/layout/page.tsx';
import { Soft } from '#ui/text/text.tsx';
import { checkEndpoint, EndpointFields, hadNothing, readEndpoint } from './endpoint-fields.tsx';

export function CreateEndpoint({ onClose }: { onClose: () => void }) {
  const partner = usePartner();
  const navigate = useNavigate();
  const { run, isRunning } = useWrite();
  const [environment, setEnvironment] = useState<'live' | 'sandbox'>('sandbox');
  const [receiver, setReceiver] = useState<string>();

  async function takeReceiver() {
    const made = await run(putSandboxReceiver, { path: { id: partner } });
    if (made) setReceiver(made.url);
  }

  return (
    <FormDialog
      title="Create an endpoint"
      onClose={onClose}
      submit="Create the endpoint"
      check={checkEndpoint}
      onSubmit={async (values) => {
        const body = { ...readEndpoint(values, hadNothing), environment };
        const made = await write(
          createWebhookEndpoint,
          { path: { id: partner }, body },
          { done: 'The endpoint is created' },
        );
        void navigate({
          to: '/p/$partner/webhooks/endpoints/$endpoint',
          params: { partner, endpoint: made.id },
        });
        // Closing it would lead back to the list.
        return false;
      }}
    >
      <SelectField
        name="environment"
        label="Environment"
        value={environment}
        onChange={(event) => {
          setEnvironment(event.target.value === 'live' ? 'live' : 'sandbox');
          setReceiver(undefined);
        }}
        options={[
          { value: 'sandbox', label: 'Sandbox, for testing: test events, and keys of its own' },
          { value: 'live', label: 'Live' },
        ]}
        help="It cannot be changed later."
      />
      {environment === 'sandbox' && receiver === undefined && (
        <Row>
          <Soft>No receiver yet, or only on this computer?</Soft>
          <Button isBusy={isRunning} onClick={() => void takeReceiver()}>
            Use the sandbox receiver
          </Button>
        </Row>
      )}
      {receiver !== undefined && (
        <Soft>The sandbox receiver of Concord keeps the last 50 requests and shows them.</Soft>
      )}
      <EndpointFields environment={environment} {...(receiver !== undefined && { url: receiver })} />
    </FormDialog>
  );
}
