// The partners that were deleted in the last 30 days.
import { listDeletedPartners, restorePartner } from '@concord/client';
import { useRead } from '#api/read.ts';
import { useWrite } from '#api/write.ts';
import { Button } from '#ui/button/button.tsx';
import { Empty } from '#ui/feedback/empty.tsx';
import { Filters, FilterText, List } from '#ui/table/list.tsx';
import { useListState } from '#ui/table/list-state.ts';
import { Id, Time } from '#ui/text/text.tsx';

export function DeletedPartners() {
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
          {
            name: 'Deleted',
            sortBy: 'deleted_at',
            cell: ({ deleted_at }) => <Time at={deleted_at} />,
            isSecondary: true,
          },
          {
            name: 'Erased',
            cell: ({ restorable_until }) => <Time at={restorable_until} />,
            isSecondary: true,
          },
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
