// The dialog that changes an endpoint. If somebody else changed the same field meanwhile, the person chooses
// what counts.
import { getWebhookEndpoint, updateWebhookEndpoint, type WebhookEndpoint } from '@concord/client';
import { useState } from 'react';
import { readNow } from '#api/read.ts';
import { saveVersion } from '#api/save-version.ts';
import { write } from '#api/write.ts';
import { usePartner } from '#app/address.ts';
import { FormDialog } from '#ui/dialog/form-dialog.tsx';
import { checkEndpoint, EndpointFields, readEndpoint } from './endpoint-fields.tsx';
import { inWords } from './filter/rows.ts';

type Props = { endpoint: WebhookEndpoint; etag: string; onClose: () => void };
/**
 * Of the headers that are set, only the names are known. They are among the changes only if the person
 * replaces them.
 */
type Fields = Omit<ReturnType<typeof readEndpoint>, 'headers' | 'authentication'> & {
  headers?: Readonly<Record<string, string>> | readonly string[] | null;
  /** The secret is never shown. */
  authentication?: object | null;
};

export function EditEndpoint({ endpoint, etag, onClose }: Props) {
  const partner = usePartner();
  // The page reads the endpoint again meanwhile, and the form keeps what it was opened with.
  const [opened] = useState({ data: fieldsOf(endpoint), etag });
  const path = { id: partner, endpoint_id: endpoint.id };

  const save = (mine: Fields) =>
    saveVersion<Fields>({
      thing: 'this endpoint',
      ...{ opened, mine },
      load: async () => {
        const { data, etag } = await readNow(getWebhookEndpoint, { path });
        return { data: fieldsOf(data), etag };
      },
      save: (changes, headers) => {
        // Headers are among the changes only as the person typed them.
        const body = changes as Partial<ReturnType<typeof readEndpoint>>;
        return write(updateWebhookEndpoint, { path, body, headers });
      },
      names,
      show: toText,
      done: 'The endpoint is saved',
    });

  return (
    <FormDialog
      title="Edit the endpoint"
      onClose={onClose}
      submit="Save the endpoint"
      check={checkEndpoint}
      onSubmit={async (values) => {
        const mine = readEndpoint(values, {
          headers: opened.data.header_names.length > 0,
          authentication: opened.data.authentication !== null,
        });
        await save({ ...mine, event_types: toSet(mine.event_types) });
        onClose();
      }}
    >
      <EndpointFields environment={endpoint.environment} endpoint={opened.data} />
    </FormDialog>
  );
}

const names: Readonly<Record<keyof Fields, string>> = {
  url: 'URL',
  description: 'Description',
  event_types: 'Event types',
  filter: 'Filter',
  ordering: 'Order',
  max_concurrency: 'Requests at the same time',
  rate_limit_per_second: 'Requests in a second',
  retry_schedule: 'Seconds before each retry',
  timeout_seconds: 'Longest attempt, in seconds',
  disable_after_hours: 'Disable after hours of failures',
  payload: 'Content',
  checkpoint_minutes: 'Minutes between checkpoints',
  batch: 'Events in a request',
  headers: 'Headers',
  authentication: 'Access to the receiver',
};

const fieldsOf = (endpoint: WebhookEndpoint) => ({
  ...endpoint,
  event_types: toSet(endpoint.event_types),
  headers: endpoint.header_names,
});

/** The order of the types means nothing. */
const toSet = (types: Fields['event_types']) => types?.toSorted() ?? null;

/** Of headers their names, and of an authentication its token URL: the rest is secret. */
function toText(value: unknown, field: keyof Fields): string {
  if (value === null || value === undefined) return '';
  if (field === 'filter') return inWords(value);
  if (typeof value === 'object' && 'token_url' in value) return String(value.token_url);
  if (Array.isArray(value)) return value.join(', ');
  if (typeof value === 'object' && 'max_events' in value) return Object.values(value).join(', ');
  return typeof value === 'object' ? Object.keys(value).join(', ') : String(value);
}
