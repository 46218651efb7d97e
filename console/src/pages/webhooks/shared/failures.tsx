// Why attempts failed: the reasons, the most frequent first.
import type { Stats } from '@concord/client';
import type { ReactNode } from 'react';
import { formatNumber, formatShare } from '#format/numbers.ts';
import { attemptReasons, type Reason } from '#messages/webhooks.ts';
import { Table } from '#ui/table/table.tsx';

type Props = {
  stats: Pick<Stats, 'attempts' | 'failed'>;
  tells: 'about' | 'advice';
  nameOf?: (reason: Reason) => ReactNode;
};

export function Failures({ stats: { attempts, failed }, tells, nameOf }: Props) {
  if (failed.length === 0) return null;
  return (
    <Table
      label="Why attempts failed"
      rows={failed.toSorted((one, other) => other.count - one.count)}
      keyOf={({ reason }) => reason}
      columns={[
        {
          name: 'Why attempts failed',
          cell: ({ reason }) => nameOf?.(reason) ?? attemptReasons[reason].label,
        },
        {
          name: tells === 'about' ? 'What happened' : 'What to do',
          cell: ({ reason }) => attemptReasons[reason][tells],
          isSecondary: true,
        },
        { name: 'Attempts', cell: ({ count }) => formatNumber(count), isNumber: true },
        { name: 'Share', cell: ({ count }) => formatShare(count, attempts), isNumber: true },
      ]}
    />
  );
}
