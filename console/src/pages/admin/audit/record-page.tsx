// One record of the whole audit log.
import { getRecordOfWholeAuditLog } from '@concord/client';
import { useRead } from '#api/read.ts';
import { usePath } from '#app/address.ts';
import { RecordPage } from '../../audit/record.tsx';
import { linkOnPlatform } from '../../audit/target-link.tsx';

export function PlatformAuditRecordPage() {
  const { record } = usePath();
  const query = useRead(getRecordOfWholeAuditLog, { path: { record_id: record } });
  return <RecordPage query={query} list={{ to: '/admin/audit' }} linkTarget={linkOnPlatform} />;
}
