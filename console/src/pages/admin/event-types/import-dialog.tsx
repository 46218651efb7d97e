// Imports event types from a document: shows what would happen, and then does exactly that.
import { type ImportPlan, importEventTypes } from '@concord/client';
import { useState } from 'react';
import { client } from '#api/client.ts';
import { write } from '#api/write.ts';
import { FormDialog } from '#ui/dialog/form-dialog.tsx';
import { Banner } from '#ui/feedback/banner.tsx';
import { TextArea } from '#ui/form/field.tsx';
import { Table } from '#ui/table/table.tsx';

const actions: Readonly<Record<ImportPlan['types'][number]['action'], string>> = {
  new: 'New',
  changed: 'Changed',
  unchanged: 'Unchanged',
  refused: 'Refused',
};

export function ImportDialog({ onClose }: { onClose: () => void }) {
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
          setPlan((await importEventTypes({ client, body: { document } })) ?? null);
          return;
        }
        const body = { document, apply: true, plan: plan.plan };
        await write(importEventTypes, { body }, { done: 'The types are imported' });
        onClose();
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
