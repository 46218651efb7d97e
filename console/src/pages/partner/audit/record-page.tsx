// One record of the audit log of a partner.
import { getAuditRecord } from '@concord/client';
import { Link } from '@tanstack/react-router';
import { useRead } from '#api/read.ts';
import { usePath } from '#app/address.ts';
import { Allowed } from '#app/allowed.tsx';
import { Denied } from '#app/denied.tsx';
import { useAccess } from '#app/session.ts';
import { Page } from '#ui/layout/page.tsx';
import { MoreLinks } from '../../audit/more-links.tsx';
import { RecordPage } from '../../audit/record.tsx';
import { linkInPartner } from '../../audit/target-link.tsx';

export function AuditRecordPage() {
  const { can } = useAccess();
  if (can('audit_log', 'query')) return <Shown />;
  return (
    <Page title="Record">
      <Allowed resource="audit_log" method="query">
        {null}
      </Allowed>
    </Page>
  );
}

function Shown() {
  const { partner, record } = usePath();
  const query = useRead(getAuditRecord, { path: { id: partner, record_id: record } });
  return (
    <RecordPage
      query={query}
      above={
        <Link to="/p/$partner/audit" params={{ partner }}>
          Audit log
        </Link>
      }
      linkTarget={linkInPartner}
      more={(shown) => <MoreLinks to={`/p/${partner}/audit`} record={shown} />}
      denied={<Denied resource="audit_log" method="query" />}
    />
  );
}
