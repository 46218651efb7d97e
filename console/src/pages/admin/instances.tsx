// The instances of Concord that run, or ran until lately.
import type { PlatformStatus } from '@concord/client';
import { formatNumber } from '#format/numbers.ts';
import type { State } from '#messages/state.ts';
import { Table } from '#ui/table/table.tsx';
import { Status } from '#ui/text/text.tsx';

const instanceState = ({ alive }: { alive: boolean }): State =>
  alive ? { tone: 'good', label: 'Running' } : { tone: 'neutral', label: 'No heartbeat' };

const instanceRoles: Readonly<Record<PlatformStatus['instances'][number]['role'], string>> = {
  all: 'API and worker',
  api: 'API',
  worker: 'Worker',
};

export function Instances({ instances }: Pick<PlatformStatus, 'instances'>) {
  return (
    <Table
      label="Instances"
      rows={instances}
      keyOf={({ id }) => id}
      columns={[
        { name: 'Host', cell: ({ host_name }) => host_name },
        { name: 'State', cell: (instance) => <Status {...instanceState(instance)} /> },
        { name: 'Role', cell: ({ role }) => instanceRoles[role], isSecondary: true },
        { name: 'Version', cell: ({ version }) => <code>{version}</code>, isSecondary: true },
        { name: 'Started', at: 'started_at', isSecondary: true },
        { name: 'Last sign', at: 'seen_at', isSecondary: true },
        { name: 'Lanes', cell: ({ lanes }) => formatNumber(lanes), isNumber: true, isSecondary: true },
      ]}
    />
  );
}
