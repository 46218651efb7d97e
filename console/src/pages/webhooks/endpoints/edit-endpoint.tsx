// The dialog that changes an endpoint. If somebody else changed it meanwhile, the person chooses what counts.
import {
  ConcordError,
  getWebhookEndpoint,
  updateWebhookEndpoint,
  type WebhookEndpoint,
  withResponse,
} from '@concord/client';
import { write } from '../../../api/write.ts';
import { Button } from '../../../ui/button/button.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { useConflict } from '../../../ui/dialog/use-conflict.tsx';
import { Form } from '../../../ui/form/form.tsx';
import { EndpointFields, readEndpoint } from './endpoint-fields.tsx';

type Props = { partner: string; endpoint: WebhookEndpoint; etag: string; onClose: () => void };
type Body = ReturnType<typeof readEndpoint>;

export function EditEndpoint({ partner, endpoint, etag, onClose }: Props) {
  const conflict = useConflict('this endpoint');
  const path = { id: partner, endpoint_id: endpoint.id };

  async function save(body: Body, version: string): Promise<void> {
    try {
      await write(
        (client) => updateWebhookEndpoint({ client, path, body, headers: { 'if-match': version } }),
        {
          done: 'The endpoint is saved',
        },
      );
    } catch (error) {
      if (!(error instanceof ConcordError && error.status === 412)) throw error;
      const now = await write((client) => withResponse(getWebhookEndpoint, { client, path }), {
        keepsCache: true,
      });
      if (await conflict.ask(differencesOf(body, now.data)))
        return save(body, now.response.headers.get('etag') ?? '');
    }
  }

  return (
    <>
      <Dialog title="Edit the endpoint" onClose={onClose} staysOpen>
        <Form
          isWide
          submit="Save the endpoint"
          beside={<Button onClick={onClose}>Cancel</Button>}
          onSubmit={async (values) => {
            await save(readEndpoint(values, endpoint.header_names.length > 0), etag);
            onClose();
          }}
        >
          <EndpointFields endpoint={endpoint} />
        </Form>
      </Dialog>
      {conflict.dialog}
    </>
  );
}

const fields = {
  url: 'URL',
  description: 'Description',
  event_types: 'Event types',
  ordering: 'Order',
  max_concurrency: 'Requests at the same time',
  rate_limit_per_second: 'Requests in a second',
} as const;

function differencesOf(mine: Body, theirs: WebhookEndpoint) {
  const names = Object.keys(fields) as (keyof typeof fields)[];
  return names
    .map((name) => ({ field: fields[name], mine: toText(mine[name]), theirs: toText(theirs[name]) }))
    .filter((one) => one.mine !== one.theirs);
}
const toText = (value: unknown): string =>
  Array.isArray(value) ? value.join(', ') : value === null ? '' : String(value);
