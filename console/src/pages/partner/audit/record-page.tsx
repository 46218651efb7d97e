// One record of the audit log of a partner.
import { getAuditRecord } from '@concord/client';
import { useRead } from '#api/read.ts';
import { usePath } from '#app/address.ts';
import { Allowed } from '#app/allowed.tsx';
import { Denied } from '#app/denied.tsx';
import { useAccess } from '#app/session.ts';
import { RecordPage } from '../../audit/record.tsx';
import { linkInPartner } from '../../audit/target-link.tsx';

export function AuditRecordPage() {
  const { partner, record } = usePath();
  const { can } = useAccess();
  const query = useRead(
    getAuditRecord,
    { path: { id: partner, record_id: record } },
    { enabled: can('audit_log', 'query') },
  );
  return (
    <RecordPage
      query={query}
      list={{ to: '/p/$partner/audit', params: { partner } }}
      linkTarget={linkInPartner}
      denied={<Denied resource="audit_log" method="query" />}
      frame={(shown) => (
        <Allowed resource="audit_log" method="query">
          {shown}
        </Allowed>
      )}
    />
  );
}
