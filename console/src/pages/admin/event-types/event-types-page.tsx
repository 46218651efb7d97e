// Event types: what can be published, with the schema of its data.
import { type EventType, type ImportPlan, importEventTypes, listEventTypes } from '@concord/client';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { client } from '#api/client.ts';
import { useRead } from '#api/read.ts';
import { write } from '#api/write.ts';
import { DialogButton, FormDialog } from '#ui/dialog/dialog.tsx';
import { Empty } from '#ui/feedback/empty.tsx';
import { Banner } from '#ui/feedback/feedback.tsx';
import { TextArea, TextField } from '#ui/form/field.tsx';
import { Page } from '#ui/layout/page.tsx';
import { LoadedTable, Table } from '#ui/table/table.tsx';
import { builtInEventTypes } from '../built-in.gen.ts';

export function AdminEventTypesPage() {
  const types = useRead(listEventTypes, {});
  const archived = useRead(listEventTypes, { query: { 'filter[archived]': 'true' } });
  return (
    <Page
      title="Event types"
      about="What partners can publish. The data of an event must fit the schema of its type."
      action={
        <>
          <DialogButton dialog={(onClose) => <ImportDialog onClose={onClose} />}>Import</DialogButton>
          <DialogButton look="primary" dialog={(onClose) => <NewEventTypeDialog onClose={onClose} />}>
            Create an event type
          </DialogButton>
        </>
      }
    >
      <LoadedTable
        query={types}
        empty={<Empty>There is no event type.</Empty>}
        rows={(data) => [...data, ...(archived.data?.data ?? [])]}
        label="Event types"
        keyOf={({ name }) => name}
        columns={[
          {
            name: 'Name',
            cell: ({ name }) => (
              <Link to="/admin/event-types/$name" params={{ name }}>
                <code>{name}</code>
              </Link>
            ),
          },
          { name: 'Description', cell: ({ description }) => description, isSecondary: true },
          { name: 'Kind', cell: (type) => kindOf(type) },
        ]}
      />
    </Page>
  );
}

function kindOf({ name, partner_ids, deprecated, archived_at }: EventType): string {
  if (builtInEventTypes.includes(name)) return 'Built in';
  const traits = [
    partner_ids !== null && 'private',
    deprecated !== null && 'deprecated',
    archived_at !== null && 'archived',
  ];
  return ['Own', ...traits.filter((trait) => trait !== false)].join(', ');
}

const namePattern = /^[a-z0-9_]+(\.[a-z0-9_]+)*$/;

function NewEventTypeDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  return (
    <FormDialog
      title="Create an event type"
      onClose={onClose}
      submit="Write its schema"
      check={(values) =>
        namePattern.test(values.text('name').trim())
          ? []
          : [
              {
                name: 'name',
                message: 'Use words of a-z, 0-9 and _ with dots between them, such as order.status_changed.',
              },
            ]
      }
      onSubmit={(values) =>
        navigate({ to: '/admin/event-types/$name', params: { name: values.text('name').trim() } })
      }
    >
      <TextField
        name="name"
        label="Name"
        isCode
        required
        autoFocus
        maxLength={100}
        help="Words with dots between them, such as order.status_changed. It cannot be changed later."
      />
    </FormDialog>
  );
}

const actions: Readonly<Record<ImportPlan['types'][number]['action'], string>> = {
  new: 'New',
  changed: 'Changed',
  unchanged: 'Unchanged',
  refused: 'Refused',
};

function ImportDialog({ onClose }: { onClose: () => void }) {
  const [plan, setPlan] = useState<ImportPlan | null>(null);
  const written = plan?.types.filter(({ action }) => action === 'new' || action === 'changed') ?? [];
  return (
    <FormDialog
      title="Import event types"
      onClose={onClose}
      submit={plan === null ? 'Show the plan' : 'Apply the plan'}
      isDisabled={plan !== null && written.length === 0}
      onEdit={() => setPlan(null)}
      onSubmit={async (values) => {
        const document = values.text('document');
        if (plan === null) {
          setPlan(await importEventTypes({ client, body: { document } }));
          return false;
        }
        const body = { document, apply: true, plan: plan.plan };
        return write(importEventTypes, { body }, { done: 'The types are imported' });
      }}
    >
      <TextArea
        name="document"
        label="Document"
        isCode
        required
        rows={10}
        spellCheck={false}
        help="OpenAPI 3.1 with webhooks, or AsyncAPI 3, as JSON or YAML. Nothing is changed before you see the plan."
      />
      {plan !== null && (
        <>
          {written.length === 0 && <Banner tone="info">The plan changes nothing.</Banner>}
          <Table
            label="The plan"
            rows={plan.types}
            keyOf={({ name }) => name}
            columns={[
              { name: 'Type', cell: ({ name }) => <code>{name}</code> },
              {
                name: 'What happens',
                cell: ({ action, reason }) => [actions[action], reason].filter(Boolean).join(': '),
              },
            ]}
          />
        </>
      )}
    </FormDialog>
  );
}
