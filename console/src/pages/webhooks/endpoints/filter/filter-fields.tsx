// The filter of an endpoint in its form: rows of conditions, or JSON for what rows cannot say.
import { listEventTypes, type WebhookEndpoint } from '@concord/client';
import { useId, useMemo, useState } from 'react';
import { useRead } from '#api/read.ts';
import { Button } from '#ui/button.tsx';
import { FieldSet, SelectField, TextArea, TextField } from '#ui/form/field.tsx';
import { useFormState } from '#ui/form/form.tsx';
import { Row } from '#ui/layout/page.tsx';
import css from './filter.module.css';
import { FilterCount } from './filter-count.tsx';
import { pathsOf, typesOf } from './paths.ts';
import {
  type FilterRow,
  isOperator,
  noRows,
  operators,
  type Rows,
  readFilter,
  toFilter,
  toRows,
} from './rows.ts';

/** `key` tells rows apart, since any of them can be removed. */
type Shown = Omit<Rows, 'rows'> & { readonly rows: readonly (FilterRow & { readonly key: number })[] };
const withKeys = (rows: Rows): Shown => ({
  ...rows,
  rows: rows.rows.map((row, key) => ({ ...row, key })),
});

function addRow({ joined, rows }: Shown): Shown {
  const key = 1 + Math.max(-1, ...rows.map((row) => row.key));
  return { joined, rows: [...rows, { path: '', operator: 'equals', value: '', key }] };
}

type Props = {
  environment: WebhookEndpoint['environment'];
  stored: WebhookEndpoint['filter'];
  eventTypes: WebhookEndpoint['event_types'];
};

export function FilterFields({ environment, stored, eventTypes }: Props) {
  const list = useId();
  const types = useRead(listEventTypes, {});
  const schemas = useMemo(() => {
    const sent = types.data?.data.filter(({ name }) => eventTypes?.includes(name) ?? true) ?? [];
    return sent.map(({ schema }) => schema);
  }, [types.data, eventTypes]);
  const known = useMemo(() => pathsOf(schemas), [schemas]);
  const [rows, setRows] = useState(() => withKeys((stored && toRows(stored)) ?? noRows));
  /** Null: the rows count. */
  const [json, setJson] = useState(() =>
    stored && !toRows(stored) ? JSON.stringify(stored, null, 2) : null,
  );
  const text = json ?? JSON.stringify(toFilter(rows, (path) => typesOf(schemas, path)));
  const { joined } = rows;
  const change = (index: number, changes: Partial<FilterRow>) =>
    setRows({
      joined,
      rows: rows.rows.map((row, at) => (at === index ? { ...row, ...changes, given: undefined } : row)),
    });
  const asRows = json === null ? null : rowsOf(json);
  return (
    <FieldSet legend="Filter" help="Only events whose data matches are sent. Without a condition, all are.">
      {json === null ? (
        <>
          <input type="hidden" name="filter" data-json="" value={text === 'null' ? '' : text} />
          {rows.rows.length > 1 && (
            <SelectField
              name="filter_joined"
              label="Events must match"
              value={joined}
              onChange={({ target }) =>
                setRows({ joined: target.value === 'any' ? 'any' : 'all', rows: rows.rows })
              }
              options={[
                { value: 'all', label: 'All of these' },
                { value: 'any', label: 'At least one of these' },
              ]}
            />
          )}
          {rows.rows.map((row, index) => (
            <Condition
              key={row.key}
              row={row}
              number={index}
              list={list}
              onChange={(changes) => change(index, changes)}
              onRemove={() => setRows({ joined, rows: rows.rows.filter((_, at) => at !== index) })}
            />
          ))}
          <datalist id={list}>
            {known.map(({ path, types: ofPath }) => (
              <option key={path} value={path}>
                {ofPath.join(' or ')}
              </option>
            ))}
          </datalist>
        </>
      ) : (
        <JsonOfFilter json={json} onChange={setJson} />
      )}
      <Row>
        {json === null && <Button onClick={() => setRows(addRow(rows))}>Add a condition</Button>}
        <Button
          look="plain"
          disabled={json !== null && asRows === null}
          onClick={() => {
            if (asRows) setRows(withKeys(asRows));
            setJson(json === null ? JSON.stringify(JSON.parse(text), null, 2) : null);
          }}
        >
          {json === null ? 'Edit as JSON' : 'Edit as rows'}
        </Button>
      </Row>
      <FilterCount environment={environment} eventTypes={eventTypes} text={text} />
    </FieldSet>
  );
}

/** Null: rows cannot say it. */
function rowsOf(json: string): Rows | null {
  const filter = readFilter(json);
  if (filter === undefined) return null;
  return filter === null ? noRows : toRows(filter);
}

type ConditionProps = {
  row: FilterRow;
  number: number;
  list: string;
  onChange: (changes: Partial<FilterRow>) => void;
  onRemove: () => void;
};

function Condition({ row: { path, operator, value }, number, list, onChange, onRemove }: ConditionProps) {
  const { faults } = useFormState();
  const fault = [...faults].find(([pointer]) => rowOf(pointer) === number)?.[1];
  const { value: kind } = operators[operator];
  return (
    <div className={css.condition}>
      <TextField
        name={`filter_path_${number}`}
        label="Path in the data"
        list={list}
        isCode
        required
        pattern="(/.*)?"
        placeholder="/quantity"
        spellCheck={false}
        value={path}
        fault={fault}
        onChange={({ target }) => onChange({ path: target.value })}
      />
      <SelectField
        name={`filter_operator_${number}`}
        label="Condition"
        value={operator}
        onChange={({ target }) => isOperator(target.value) && onChange({ operator: target.value })}
        options={Object.entries(operators).map(([name, { label }]) => ({ value: name, label }))}
      />
      {kind !== 'none' && (
        <TextField
          name={`filter_value_${number}`}
          label={kind === 'list' ? 'Values, with commas' : 'Value'}
          type={kind === 'number' ? 'number' : 'text'}
          step="any"
          required={kind === 'number'}
          spellCheck={false}
          value={value}
          onChange={({ target }) => onChange({ value: target.value })}
        />
      )}
      <Button look="plain" aria-label={`Remove condition ${number + 1}`} onClick={onRemove}>
        Remove
      </Button>
    </div>
  );
}

/** The row that the pointer of a fault is about. -1: it is about another field. */
function rowOf(pointer: string): number {
  const [, number] = /^\/filter(?:\/(?:all|any)\/(\d+))?(?:\/|$)/.exec(pointer) ?? [];
  return pointer.startsWith('/filter') ? Number(number ?? 0) : -1;
}

type JsonProps = { json: string; onChange: (json: string) => void };
function JsonOfFilter({ json, onChange }: JsonProps) {
  const { faults } = useFormState();
  const refused = [...faults].find(([pointer]) => pointer.startsWith('/filter'));
  const fault = readFilter(json) === undefined ? 'This is not a JSON object.' : undefined;
  return (
    <TextArea
      name="filter"
      data-json=""
      label="Filter as JSON"
      isCode
      rows={10}
      spellCheck={false}
      value={json}
      fault={fault ?? (refused && `${refused[0].replace('/filter', '') || 'It'}: ${refused[1]}`)}
      onChange={({ target }) => onChange(target.value)}
      help="all, any and not combine conditions. Empty: no filter."
    />
  );
}
