// The fields of an endpoint, for creating and changing it.
import { listEventTypes, type UpdateWebhookEndpoint, type WebhookEndpoint } from '@concord/client';
import { useState } from 'react';
import { useRead } from '#api/read.ts';
import { useSettings } from '#app/settings.ts';
import { CheckField, FieldSet, SelectField, TextArea, TextField } from '#ui/form/field.tsx';
import { type Fault, hasFaultBeside, useFormState, type Values } from '#ui/form/form.tsx';
import { Columns, Stack } from '#ui/layout/page.tsx';
import { AuthenticationFields, readAuthentication } from './authentication-fields.tsx';
import css from './endpoints.module.css';
import { FilterFields } from './filter/filter-fields.tsx';
import { readFilter } from './filter/rows.ts';

/** Of the fields, and of what two people changed at once. */
export const labels: Readonly<Record<keyof ReturnType<typeof readEndpoint>, string>> = {
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

/** `endpoint`: the one that is changed. */
export function EndpointFields({
  environment,
  endpoint,
  url,
}: {
  environment: WebhookEndpoint['environment'];
  endpoint?: WebhookEndpoint;
  url?: string;
}) {
  const isFaulty = hasFaultBeside(useFormState(), ['url', 'event_types', 'filter']);
  const [eventTypes, setEventTypes] = useState(endpoint?.event_types ?? null);
  return (
    <>
      <TextField
        key={url}
        name="url"
        label={labels.url}
        type="url"
        required
        autoFocus={endpoint === undefined}
        spellCheck={false}
        placeholder="https://hooks.example.com/concord"
        defaultValue={url ?? endpoint?.url}
        help="An https URL that the internet can reach. It is part of the signature, so the receiver must know it exactly."
      />
      <EventTypeFields chosen={eventTypes} onChange={setEventTypes} />
      <FilterFields environment={environment} eventTypes={eventTypes} stored={endpoint?.filter ?? null} />
      {/* A fault in here must be seen. */}
      <details className={css.more} open={isFaulty || undefined}>
        <summary>Description, order, limits, content, retries, checkpoints, headers and access</summary>
        <Stack>
          <TextField
            name="description"
            label={labels.description}
            defaultValue={endpoint?.description ?? ''}
            help="For the people of this partner."
          />
          <PaceFields endpoint={endpoint} />
          <SelectField
            name="payload"
            label={labels.payload}
            defaultValue={endpoint?.payload ?? 'full'}
            options={[
              { value: 'full', label: 'The whole event' },
              { value: 'thin', label: 'Thin: the event without its data' },
            ]}
            help="The receiver of a thin event fetches the data, with an access token that may get events."
          />
          <BatchFields batch={endpoint?.batch ?? null} />
          <RetryFields endpoint={endpoint} />
          <TextField
            name="checkpoint_minutes"
            label={labels.checkpoint_minutes}
            type="number"
            min={1}
            max={1_440}
            defaultValue={endpoint?.checkpoint_minutes ?? ''}
            help="A checkpoint is a signed statement of what was published. It shows the receiver what it lacks. Empty: none."
          />
          <HeaderField names={endpoint?.header_names ?? []} />
          <AuthenticationFields present={endpoint?.authentication ?? null} />
        </Stack>
      </details>
    </>
  );
}

type Changed = { endpoint: WebhookEndpoint | undefined };

function PaceFields({ endpoint }: Changed) {
  return (
    <>
      <SelectField
        name="ordering"
        label={labels.ordering}
        defaultValue={endpoint?.ordering ?? 'none'}
        options={[
          { value: 'none', label: 'Deliveries do not wait for each other' },
          { value: 'strict', label: 'One after the other, in the order of publishing' },
        ]}
        help="In order, a failing delivery delays all that follow, until it is delivered or has failed for good."
      />
      <Columns>
        <TextField
          name="max_concurrency"
          label={labels.max_concurrency}
          type="number"
          min={1}
          max={64}
          required
          defaultValue={endpoint?.max_concurrency ?? 8}
        />
        <TextField
          name="rate_limit_per_second"
          label={labels.rate_limit_per_second}
          type="number"
          min={1}
          max={1_000}
          defaultValue={endpoint?.rate_limit_per_second ?? ''}
          help="Empty: no limit. More requests wait, and none fails because of it."
        />
      </Columns>
    </>
  );
}

function BatchFields({ batch }: Pick<WebhookEndpoint, 'batch'>) {
  return (
    <Columns>
      <TextField
        name="batch_events"
        label={labels.batch}
        type="number"
        min={2}
        max={100}
        defaultValue={batch?.max_events ?? ''}
        help="The most. The receiver then gets an array of events. Empty: one event in each request."
      />
      <TextField
        name="batch_wait"
        label="Longest wait for others, in seconds"
        type="number"
        min={0}
        max={60}
        step="any"
        defaultValue={batch?.max_wait_seconds ?? ''}
        help="A request goes when it is full, or after this time. Empty: 0."
      />
    </Columns>
  );
}

function RetryFields({ endpoint }: Changed) {
  const platform = useSettings()?.endpoint_retries;
  return (
    <>
      <TextField
        name="retry_schedule"
        label={labels.retry_schedule}
        pattern="\s*(none|[0-9]+(\s*,\s*[0-9]+)*)\s*"
        spellCheck={false}
        placeholder={platform?.retry_schedule.join(', ')}
        defaultValue={endpoint?.retry_schedule ? endpoint.retry_schedule.join(', ') || noRetries : ''}
        help={`Such as 60, 600, 3600, or ${noRetries}. Empty: the setting of the platform.`}
      />
      <Columns>
        {numbers.map(({ name, most }) => (
          <TextField
            key={name}
            name={name}
            label={labels[name]}
            type="number"
            min={1}
            max={platform?.[most]}
            placeholder={String(platform?.[name] ?? '')}
            defaultValue={endpoint?.[name] ?? ''}
            help="Empty: the setting of the platform."
          />
        ))}
      </Columns>
    </>
  );
}
const numbers = [
  { name: 'timeout_seconds', most: 'most_timeout_seconds' },
  { name: 'disable_after_hours', most: 'most_disable_after_hours' },
] as const;
/** What people write for a schedule without delays. */
const noRetries = 'none';

/** Null: empty. */
const readDelays = (text: string | null): number[] | null =>
  text === null ? null : text === noRetries ? [] : text.split(',').map(Number);

type TypesProps = { chosen: string[] | null; onChange: (chosen: string[] | null) => void };
function EventTypeFields({ chosen, onChange }: TypesProps) {
  const [wanted] = useState(chosen ?? []);
  const types = useRead(listEventTypes, {});
  const names = types.data?.data.map(({ name }) => name) ?? [];
  // Types that the endpoint wants stay in the list, whatever the list says.
  const shown = [...new Set([...names, ...wanted])];
  return (
    <FieldSet legend={labels.event_types}>
      <CheckField
        kind="radio"
        name="which_types"
        value="all"
        checked={chosen === null}
        onChange={() => onChange(null)}
        label="All, including types that are added later"
      />
      <CheckField
        kind="radio"
        name="which_types"
        value="some"
        checked={chosen !== null}
        onChange={() => onChange(wanted)}
        label="Only these"
      />
      {chosen !== null && (
        <div className={css.types}>
          {shown.map((name) => (
            <CheckField
              key={name}
              name="event_types"
              value={name}
              checked={chosen.includes(name)}
              onChange={({ target }) =>
                onChange(target.checked ? [...chosen, name] : chosen.filter((one) => one !== name))
              }
              label={<code>{name}</code>}
            />
          ))}
        </div>
      )}
    </FieldSet>
  );
}

function HeaderField({ names }: { names: readonly string[] }) {
  const [isReplaced, setReplaced] = useState(names.length === 0);
  return (
    <>
      {names.length > 0 && (
        <CheckField
          name="replaces_headers"
          checked={isReplaced}
          onChange={(event) => setReplaced(event.target.checked)}
          label="Replace the headers"
          help={`Set now: ${names.join(', ')}. Their values are never shown.`}
        />
      )}
      {isReplaced && (
        <TextArea
          name="headers"
          label={labels.headers}
          isCode
          rows={3}
          spellCheck={false}
          placeholder="X-Api-Key: value"
          help="One on each line, sent with every webhook, for example for a gateway. Their values are never shown again."
        />
      )}
    </>
  );
}

/** `Name: value` on each line. */
const parseHeaders = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => {
        const [name = '', ...value] = line.split(':');
        return [name.trim(), value.join(':').trim()];
      }),
  );

const readBatch = (max_events: number | null, wait: number | null): WebhookEndpoint['batch'] =>
  max_events === null ? null : { max_events, max_wait_seconds: wait ?? 0 };

/** Beyond what the fields check themselves. */
export const checkEndpoint = (values: Values): Fault[] =>
  readFilter(values.text('filter')) === undefined
    ? [{ name: 'filter', message: 'The filter must be a JSON object.' }]
    : [];

/** What the endpoint had, of which only a part is known. */
type Had = { readonly headers: boolean; readonly authentication: boolean };
export const hadNothing: Had = { headers: false, authentication: false };

export function readEndpoint(values: Values, had: Had): UpdateWebhookEndpoint & { url: string } {
  const number = (name: string) => {
    const text = values.optional(name);
    return text === null ? null : Number(text);
  };
  const headers = parseHeaders(values.text('headers'));
  return {
    url: values.text('url').trim(),
    description: values.optional('description'),
    event_types: values.text('which_types') === 'all' ? null : values.all('event_types'),
    filter: readFilter(values.text('filter')) ?? null,
    ordering: values.text('ordering') === 'strict' ? 'strict' : 'none',
    max_concurrency: Number(values.text('max_concurrency')),
    rate_limit_per_second: number('rate_limit_per_second'),
    retry_schedule: readDelays(values.optional('retry_schedule')),
    timeout_seconds: number('timeout_seconds'),
    disable_after_hours: number('disable_after_hours'),
    payload: values.text('payload') === 'thin' ? 'thin' : 'full',
    checkpoint_minutes: number('checkpoint_minutes'),
    batch: readBatch(number('batch_events'), number('batch_wait')),
    ...((had.headers ? values.isChecked('replaces_headers') : Object.keys(headers).length > 0) && {
      headers: Object.keys(headers).length > 0 ? headers : null,
    }),
    ...readAuthentication(values, had.authentication),
  };
}
