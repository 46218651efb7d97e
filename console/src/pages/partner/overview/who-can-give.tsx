// Whom a member without permissions can ask.
import { listGrantors } from '@concord/client';
import { useRead } from '#api/read.ts';
import { usePartner } from '#app/address.ts';

export function WhoCanGive() {
  const partner = usePartner();
  const { data } = useRead(listGrantors, { path: { id: partner }, query: { permission: 'partner.get' } });
  const names = data?.data.slice(0, 5).map(({ name }) => name) ?? [];
  if (names.length === 0) return null;
  return <p>To get more access, ask {new Intl.ListFormat('en', { type: 'disjunction' }).format(names)}.</p>;
}
