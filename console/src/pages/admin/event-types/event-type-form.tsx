// The editor of an event type. A changed schema can be checked against past events before it is saved.
import { ConcordError, checkEventType, type EventType, type EventTypeCheck } from '@concord/client';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { client } from '#api/client.ts';
import { isCode } from '#api/read.ts';
import { useBase } from '#api/use-base.ts';
import { formatCount, formatNumber } from '#format/numbers.ts';
import { Button } from '#ui/button.tsx';
import { Banner, Problem } from '#ui/feedback/feedback.tsx';
import { CheckField, Field, TextField } from '#ui/form/field.tsx';
import { Form, useFormState, type Values } from '#ui/form/form.tsx';
import { Table } from '#ui/table/table.tsx';
import css from './json-field.module.css';
import { findFault, lineOf } from './json-text.ts';
import { LifeFields, readLife } from './life-fields.tsx';
import { type Fields, saveEventType, versionOf } from './save-event-type.ts';

const eventTypeProblems = {
  event_type_built_in: 'This name belongs to a built-in type, which cannot be replaced. Choose another name.',
};

const newSchema = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } };
const newExample = { id: '1001' };
const toText = (value: unknown): string => JSON.stringify(value, null, 2);

type Result = EventTypeCheck | ConcordError;

export function EventTypeForm({ name, type }: { name: string; type: EventType | null }) {
  const form = useBase(versionOf(type));
  return <Editor key={form.key} name={name} form={form} />;
}

type EditorProps = { name: string; form: ReturnType<typeof useBase<Fields>> };

function Editor({ name, form: { base, onEdit, follow } }: EditorProps) {
  const fields = base.data;
  const isNew = fields.schema === undefined;
  const [schema, setSchema] = useState(() => toText(fields.schema ?? newSchema));
  const [example, setExample] = useState(() => toText(isNew ? newExample : fields.example));
  const { result, isBad, isChecking, check, forget } = useSchemaCheck(name, schema);
  const [isRefused, setRefused] = useState(false);
  const isJson = findFault(schema) === null && findFault(example) === null;

  async function save(values: Values) {
    if (!isJson) return;
    const mine = {
      description: values.text('description').trim(),
      schema: JSON.parse(schema),
      example: JSON.parse(example),
      ...readLife(values, fields),
    };
    try {
      follow(await saveEventType({ name, base, mine, force: values.isChecked('force') }), mine);
      setRefused(false);
      forget();
    } catch (error) {
      if (isCode(error, 'event_type_refuses_events', 'event_type_in_use')) setRefused(true);
      throw error;
    }
  }

  return (
    <Form
      isWide
      submit={isNew ? 'Create the event type' : 'Save the event type'}
      explain={eventTypeProblems}
      onEdit={onEdit}
      onSubmit={save}
      beside={
        !isNew && (
          <Button isBusy={isChecking} disabled={!isJson} onClick={() => void check()}>
            Check against past events
          </Button>
        )
      }
    >
      <TextField
        name="description"
        label="Description"
        required
        maxLength={2_000}
        defaultValue={fields.description}
        help="What the event means, for those who receive it."
      />
      <JsonField
        name="schema"
        label="Schema of the data"
        help="JSON Schema, draft 2020-12. An event whose data does not fit is refused."
        value={schema}
        onChange={(text) => {
          setSchema(text);
          setRefused(false);
        }}
      />
      <JsonField
        name="example"
        label="Example"
        help="Data that fits the schema. Test events use it."
        value={example}
        onChange={setExample}
      />
      <LifeFields fields={fields} />
      {result !== null && <CheckResult result={result} />}
      {(isRefused || isBad) && (
        <CheckField
          name="force"
          label="Save it although past events do not fit, or endpoints lose it"
          help="Events that were published stay as they are and are delivered. New events with such data are refused. Endpoints that lose the type keep its name, and get no events of it."
        />
      )}
    </Form>
  );
}

/** Checks a schema against past events. */
function useSchemaCheck(name: string, schema: string) {
  const [checked, setChecked] = useState<{ schema: string; result: Result } | null>(null);
  const [isChecking, setChecking] = useState(false);
  async function check() {
    setChecking(true);
    try {
      const body = { schema: JSON.parse(schema) };
      setChecked({ schema, result: await checkEventType({ client, path: { name }, body }) });
    } catch (error) {
      if (!(error instanceof ConcordError)) throw error;
      setChecked({ schema, result: error });
    } finally {
      setChecking(false);
    }
  }
  // The result of another text would mislead.
  const result = checked?.schema === schema ? checked.result : null;
  const isBad = result !== null && !(result instanceof ConcordError) && result.failed > 0;
  return { result, isBad, isChecking, check, forget: () => setChecked(null) };
}

function say({ checked, failed, complete }: EventTypeCheck): string {
  if (checked === 0) return 'No event of this type was published yet, so every schema fits.';
  const which = complete ? 'The last' : 'The check stopped at its limit. Of the last 1,000 events, the last';
  const events = `${which} ${formatCount(checked, 'event was', 'events were')} checked.`;
  if (failed === 0) return `${events} All of them fit this schema.`;
  return `${events} ${formatNumber(failed)} of them ${failed === 1 ? 'does' : 'do'} not fit this schema.`;
}

function CheckResult({ result }: { result: Result }) {
  if (result instanceof ConcordError) return <Problem error={result} />;
  return (
    <>
      <Banner tone={result.failed === 0 ? 'good' : 'warning'}>{say(result)}</Banner>
      {result.failures.length > 0 && (
        <Table
          label="Events that do not fit"
          rows={result.failures}
          keyOf={({ event_id }) => event_id}
          columns={[
            {
              name: 'Event',
              cell: ({ event_id, partner_id }) => (
                <Link
                  to="/p/$partner/webhooks/events/$event"
                  params={{ partner: partner_id, event: event_id }}
                >
                  <code>{event_id}</code>
                </Link>
              ),
            },
            { name: 'Place', cell: ({ pointer }) => <code>{pointer}</code> },
            { name: 'What the schema asks for', cell: ({ message }) => message },
          ]}
        />
      )}
    </>
  );
}

type Props = { name: string; label: string; help: string; value: string; onChange: (value: string) => void };

/**
 * A field for JSON: with line numbers, with the place of what is wrong, and with the faults of the API at their lines.
 */
function JsonField({ name, label, help, value, onChange }: Props) {
  const { faults } = useFormState();
  const lines = value.split('\n').length;
  const refused = [...faults]
    .filter(([pointer]) => pointer === `/${name}` || pointer.startsWith(`/${name}/`))
    .map(([pointer, message]) => {
      const line = lineOf(value, pointer.slice(name.length + 1));
      return line === null || pointer === `/${name}` ? message : `Line ${line}: ${message}`;
    });
  const more = refused.length > 1 ? ` There are ${refused.length - 1} more faults.` : '';
  const fault = findFault(value) ?? (refused[0] && `${refused[0]}.${more}`);
  return (
    <Field name={name} label={label} help={help} fault={fault}>
      {(control) => (
        <div className={css.editor} data-wrong={fault !== undefined || undefined}>
          <div className={css.numbers} aria-hidden="true">
            {Array.from({ length: lines }, (_, line) => `${line + 1}\n`).join('')}
          </div>
          <textarea
            {...control}
            data-json=""
            className={css.text}
            value={value}
            onChange={(event) => onChange(event.target.value)}
            rows={lines}
            wrap="off"
            spellCheck={false}
            autoCapitalize="none"
            autoComplete="off"
          />
        </div>
      )}
    </Field>
  );
}
