// What can be done with an endpoint: pause, resume, test, edit, delete.
import {
  deleteWebhookEndpoint,
  getWebhookEndpoint,
  pauseWebhookEndpoint,
  testWebhookEndpoint,
  updateWebhookEndpoint,
  type WebhookEndpoint,
} from '@concord/client';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { readNow } from '#api/read.ts';
import { saveVersion } from '#api/save-version.ts';
import { useWrite, write } from '#api/write.ts';
import { usePartner } from '#app/address.ts';
import { Retention } from '#app/retention.tsx';
import { useAccess } from '#app/session.ts';
import { formatCount } from '#format/numbers.ts';
import { Button } from '#ui/button.tsx';
import { Confirm, FormDialog } from '#ui/dialog/dialog.tsx';
import { RowMenu } from '#ui/row-menu.tsx';
import { ResumeDialog, useResume } from '../sending/resume-endpoint.tsx';
import { checkEndpoint, EndpointFields, labels, readEndpoint } from './endpoint-fields.tsx';
import { inWords } from './filter/rows.ts';

type Props = { endpoint: WebhookEndpoint; etag: string; pending: number | undefined };

export function EndpointActions({ endpoint, etag, pending }: Props) {
  const { can, partner } = useAccess();
  const { run, isRunning } = useWrite();
  const resume = useResume();
  const navigate = useNavigate();
  const [open, setOpen] = useState<'edit' | 'delete' | 'resume' | null>(null);
  const path = { id: partner, endpoint_id: endpoint.id };
  const close = () => setOpen(null);
  const isActive = endpoint.status === 'active';
  const asks = !isActive && resume.asks({ endpoint, pending });

  function pauseOrResume(): void {
    if (isActive)
      void run(pauseWebhookEndpoint, { path }, { done: 'The endpoint is paused: its deliveries wait' });
    else if (asks) setOpen('resume');
    else resume.start({ endpoint, pending });
  }

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
          {/* One button, which keeps the focus. */}
          <Button
            look={isActive ? 'secondary' : 'primary'}
            isBusy={isRunning || resume.isRunning}
            onClick={pauseOrResume}
          >
            {isActive ? 'Pause' : asks ? 'Resume…' : 'Resume'}
          </Button>
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
      {open === 'resume' && <ResumeDialog endpoint={endpoint} pending={pending} onClose={close} />}
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

type EditEndpointProps = { endpoint: WebhookEndpoint; etag: string; onClose: () => void };
/**
 * Of the headers that are set, only the names are known. They are among the changes only if the person
 * replaces them.
 */
type Fields = Omit<ReturnType<typeof readEndpoint>, 'headers' | 'authentication'> & {
  headers?: Readonly<Record<string, string>> | readonly string[] | null;
  /** The secret is never shown. */
  authentication?: object | null;
};

/**
 * The dialog that changes an endpoint. If somebody else changed the same field meanwhile, the person chooses what
 * counts.
 */
function EditEndpoint({ endpoint, etag, onClose }: EditEndpointProps) {
  const partner = usePartner();
  // The page reads the endpoint again meanwhile, and the form keeps what it was opened with.
  const [opened] = useState({ data: fieldsOf(endpoint), etag });
  const path = { id: partner, endpoint_id: endpoint.id };

  const save = (mine: Fields) =>
    saveVersion<Fields>({
      thing: 'this endpoint',
      opened,
      mine,
      load: async () => {
        const { data, etag } = await readNow(getWebhookEndpoint, { path });
        return { data: fieldsOf(data), etag };
      },
      save: (changes, headers) => {
        // Headers are among the changes only as the person typed them.
        const body = changes as Partial<ReturnType<typeof readEndpoint>>;
        return write(updateWebhookEndpoint, { path, body, headers });
      },
      names: labels,
      show: toText,
      done: 'The endpoint is saved',
    });

  return (
    <FormDialog
      title="Edit the endpoint"
      onClose={onClose}
      submit="Save the endpoint"
      check={checkEndpoint}
      onSubmit={(values) => {
        const mine = readEndpoint(values, {
          headers: opened.data.header_names.length > 0,
          authentication: opened.data.authentication !== null,
        });
        return save({ ...mine, event_types: toSet(mine.event_types) });
      }}
    >
      <EndpointFields environment={endpoint.environment} endpoint={opened.data} />
    </FormDialog>
  );
}

const fieldsOf = (endpoint: WebhookEndpoint) => ({
  ...endpoint,
  event_types: toSet(endpoint.event_types),
  headers: endpoint.header_names,
});

/** The order of the types means nothing. */
const toSet = (types: Fields['event_types']) => types?.toSorted() ?? null;

/** Shows the names of headers, and the token URL of an authentication: the rest is secret. */
function toText(value: unknown, field: keyof Fields): string {
  if (value === null || value === undefined) return '';
  if (field === 'filter') return inWords(value);
  if (typeof value === 'object' && 'token_url' in value) return String(value.token_url);
  if (Array.isArray(value)) return value.join(', ');
  if (typeof value === 'object' && 'max_events' in value) return Object.values(value).join(', ');
  return typeof value === 'object' ? Object.keys(value).join(', ') : String(value);
}
