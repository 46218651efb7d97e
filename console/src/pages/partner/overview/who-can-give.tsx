// Whom a member without permissions can ask.
import { listGrantors } from '@concord/client';
import { useRead } from '#api/read.ts';

export function WhoCanGive({ partner }: { partner: string }) {
  const { data } = useRead(listGrantors, { path: { id: partner }, query: { permission: 'partner.get' } });
  const names = data?.data.slice(0, 5).map(({ name }) => name) ?? [];
  if (names.length === 0) return null;
  return <p>To get more access, ask {new Intl.ListFormat('en', { type: 'disjunction' }).format(names)}.</p>;
}
