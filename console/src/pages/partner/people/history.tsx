// The last records of the audit log about one thing.
import { listAuditLog } from '@concord/client';
import { Link } from '@tanstack/react-router';
import { useRead } from '#api/read.ts';
import { usePartner } from '#app/address.ts';
import { Section } from '#ui/layout/page.tsx';
import { LoadedTable } from '#ui/table/table.tsx';
import { Faint } from '#ui/text/text.tsx';
import { useAuditColumns } from '../../audit/audit-table.tsx';

const shown = 10;

export function History({ target }: { target: string }) {
  const partner = usePartner();
  const query = useRead(listAuditLog, {
    path: { id: partner },
    query: { page_size: shown, 'filter[target]': target },
  });
  const columns = useAuditColumns({ partner });
  return (
    <Section
      title="History"
      action={
        query.data?.next != null && (
          <Link to="/p/$partner/audit" params={{ partner }} search={{ target }}>
            Show all in the audit log
          </Link>
        )
      }
    >
      <LoadedTable
        query={query}
        empty={<Faint>Nothing is recorded.</Faint>}
        label="History"
        keyOf={({ id }) => id}
        columns={columns.filter(({ name }) => name !== 'Target')}
      />
    </Section>
  );
}
