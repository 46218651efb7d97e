// One record of the whole audit log.
import { getRecordOfWholeAuditLog } from '@concord/client';
import { Link } from '@tanstack/react-router';
import { useRead } from '#api/read.ts';
import { usePath } from '#app/address.ts';
import { MoreLinks } from '../../audit/more-links.tsx';
import { RecordPage } from '../../audit/record.tsx';
import { linkOnPlatform } from '../../audit/target-link.tsx';

export function PlatformAuditRecordPage() {
  const { record } = usePath();
  const query = useRead(getRecordOfWholeAuditLog, { path: { record_id: record } });
  return (
    <RecordPage
      query={query}
      above={<Link to="/admin/audit">Audit log</Link>}
      linkTarget={linkOnPlatform}
      more={(shown) => <MoreLinks to="/admin/audit" record={shown} />}
    />
  );
}
