// Partners: all of them, and the deleted ones that can still be restored.
import { createPartner, listDeletedPartners, listPartners, restorePartner } from '@concord/client';
import { Link, useNavigate } from '@tanstack/react-router';
import { useRead } from '#api/read.ts';
import { useWrite, write } from '#api/write.ts';
import { useAsked } from '#app/address.ts';
import { DeletePartner } from '#app/delete-partner.tsx';
import { toCommand } from '#format/command.ts';
import { Button } from '#ui/button.tsx';
import { DialogButton, FormDialog } from '#ui/dialog/dialog.tsx';
import { Empty } from '#ui/feedback/empty.tsx';
import { TextField } from '#ui/form/field.tsx';
import { Page } from '#ui/layout/page.tsx';
import { Tab, Tabs } from '#ui/layout/tabs.tsx';
import { Filters, FilterText, List, useListState } from '#ui/table/list.tsx';
import { Id } from '#ui/text/text.tsx';

export function PartnersPage() {
  const { show } = useAsked();
  const isDeleted = show === 'deleted';
  return (
    <Page
      title="Partners"
      about="The businesses that you work with. People, endpoints and events belong to one partner each."
      action={
        <DialogButton look="primary" dialog={(onClose) => <CreatePartnerDialog onClose={onClose} />}>
          Create a partner
        </DialogButton>
      }
    >
      <Tabs label="Partners">
        <Tab
          to="/admin/partners"
          activeOptions={{ exact: true }}
          aria-current={isDeleted ? undefined : 'page'}
        >
          Partners
        </Tab>
        <Tab to="/admin/partners" search={{ show: 'deleted' }} aria-current={isDeleted ? 'page' : undefined}>
          Deleted
        </Tab>
      </Tabs>
      {isDeleted ? <DeletedPartners /> : <Partners />}
    </Page>
  );
}

function Partners() {
  const state = useListState({ filters: ['name', 'vat_no'], sort: { by: 'name', direction: 'asc' } });
  const partners = useRead(listPartners, { query: state.query });
  return (
    <>
      <Filters>
        <FilterText state={state} name="name" label="Name" />
        <FilterText state={state} name="vat_no" label="VAT number" />
      </Filters>
      <List
        label="Partners"
        query={partners}
        state={state}
        keyOf={({ id }) => id}
        nameOf={({ name }) => name}
        columns={[
          {
            name: 'Name',
            sortBy: 'name',
            cell: ({ id, name }) => (
              <Link to="/p/$partner" params={{ partner: id }}>
                {name}
              </Link>
            ),
          },
          { name: 'Id', cell: ({ id }) => <Id id={id} />, isSecondary: true },
          { name: 'VAT number', cell: ({ vat_no }) => vat_no ?? '–', isSecondary: true },
          { name: 'Created', sortBy: 'created_at', at: 'created_at', isSecondary: true },
          { name: 'Changed', sortBy: 'updated_at', at: 'updated_at', isSecondary: true },
        ]}
        actions={(partner) => [
          {
            label: 'Delete the partner',
            isDangerous: true,
            dialog: (onClose) => <DeletePartner partner={partner} onClose={onClose} />,
          },
        ]}
        empty={
          <Empty command={toCommand({ method: 'POST', path: '/partners', body: { name: 'Nordlys AS' } })}>
            There is no partner yet. Create the first one, then invite its people.
          </Empty>
        }
      />
    </>
  );
}

/** Creates a partner. Its page can change everything later, so this asks for little. */
function CreatePartnerDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  return (
    <FormDialog
      title="Create a partner"
      onClose={onClose}
      submit="Create the partner"
      onSubmit={async (values) => {
        const name = values.text('name').trim();
        const partner = await write(
          createPartner,
          {
            body: {
              name,
              description: values.optional('description'),
              website: values.optional('website'),
            },
          },
          { done: `${name} is created` },
        );
        void navigate({ to: '/p/$partner', params: { partner: partner.id } });
      }}
    >
      <TextField name="name" label="Name" required autoFocus maxLength={255} help="As its people know it." />
      <TextField name="description" label="Description" help="Optional. What you do with this partner." />
      <TextField name="website" label="Website" help="Optional." />
    </FormDialog>
  );
}

function DeletedPartners() {
  const state = useListState({ filters: ['name'], sort: { by: 'deleted_at', direction: 'desc' } });
  const partners = useRead(listDeletedPartners, { query: state.query });
  const { run, isRunning } = useWrite();
  return (
    <>
      <Filters>
        <FilterText state={state} name="name" label="Name" />
      </Filters>
      <List
        label="Deleted partners"
        query={partners}
        state={state}
        keyOf={({ id }) => id}
        columns={[
          { name: 'Name', sortBy: 'name', cell: ({ name }) => name },
          { name: 'Id', cell: ({ id }) => <Id id={id} />, isSecondary: true },
          { name: 'Deleted', sortBy: 'deleted_at', at: 'deleted_at', isSecondary: true },
          { name: 'Erased', at: 'restorable_until', isSecondary: true },
          {
            name: 'Restore',
            cell: ({ id, name }) => (
              <Button
                aria-label={`Restore ${name}`}
                isBusy={isRunning}
                onClick={() =>
                  void run(
                    restorePartner,
                    { path: { id } },
                    { done: `${name} is restored, with all that belongs to it` },
                  )
                }
              >
                Restore
              </Button>
            ),
          },
        ]}
        empty={<Empty>No partner was deleted in the last 30 days.</Empty>}
      />
    </>
  );
}
