// What can be done with an endpoint: pause, resume, test, edit, delete.
import {
  deleteWebhookEndpoint,
  pauseWebhookEndpoint,
  testWebhookEndpoint,
  type WebhookEndpoint,
} from '@concord/client';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useWrite, write } from '#api/write.ts';
import { Retention } from '#app/retention.tsx';
import { useAccess } from '#app/session.ts';
import { formatCount } from '#format/numbers.ts';
import { Button } from '#ui/button/button.tsx';
import { Confirm } from '#ui/dialog/confirm.tsx';
import { RowMenu } from '#ui/menu/row-menu.tsx';
import { ResumeEndpoint } from '../sending/resume-endpoint.tsx';
import { EditEndpoint } from './edit-endpoint.tsx';

type Props = { endpoint: WebhookEndpoint; etag: string; pending: number | undefined };

export function EndpointActions({ endpoint, etag, pending }: Props) {
  const { can, partner } = useAccess();
  const { run, isRunning } = useWrite();
  const navigate = useNavigate();
  const [open, setOpen] = useState<'edit' | 'delete' | null>(null);
  const path = { id: partner, endpoint_id: endpoint.id };
  const close = () => setOpen(null);
  const isActive = endpoint.status === 'active';

  async function remove() {
    // The page goes first: reading the endpoint again would say that it is gone.
    await write(
      deleteWebhookEndpoint,
      { path },
      {
        done: 'The endpoint is deleted',
        keepsCache: true,
      },
    );
    void navigate({ to: '/p/$partner/webhooks/endpoints', params: { partner } });
  }

  return (
    <>
      {can('webhook_endpoints', 'post') && (
        <>
          {endpoint.environment === 'sandbox' && isActive && (
            <Button
              isBusy={isRunning}
              onClick={() => void run(testWebhookEndpoint, { path }, { done: 'A test event is on its way' })}
            >
              Send a test event
            </Button>
          )}
          {isActive ? (
            <Button
              isBusy={isRunning}
              onClick={() =>
                void run(
                  pauseWebhookEndpoint,
                  { path },
                  { done: 'The endpoint is paused: its deliveries wait' },
                )
              }
            >
              Pause
            </Button>
          ) : (
            <ResumeEndpoint endpoint={endpoint} pending={pending} />
          )}
        </>
      )}
      {can('webhook_endpoints', 'patch') && <Button onClick={() => setOpen('edit')}>Edit</Button>}
      {can('webhook_endpoints', 'delete') && (
        <RowMenu
          of={endpoint.url}
          actions={[{ label: 'Delete the endpoint', isDangerous: true, onSelect: () => setOpen('delete') }]}
        />
      )}
      {open === 'edit' && <EditEndpoint endpoint={endpoint} etag={etag} onClose={close} />}
      {open === 'delete' && (
        <Confirm
          title={`Delete the endpoint ${endpoint.url}?`}
          confirm="Delete the endpoint"
          onConfirm={remove}
          onClose={close}
        >
          <p>
            {pending === undefined || pending === 0
              ? 'It gets no more webhooks.'
              : `It gets no more webhooks, and ${formatCount(pending, 'pending delivery is', 'pending deliveries are')} cancelled.`}{' '}
            This cannot be undone. Its history stays readable for <Retention />.
          </p>
        </Confirm>
      )}
    </>
  );
}
