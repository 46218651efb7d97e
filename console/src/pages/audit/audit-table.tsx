// Records of the audit log. The action opens the whole record.
import type { AuditRecord } from '@concord/client';
import { type ReactNode, useState } from 'react';
import { useMe } from '../../app/session.ts';
import type { Column } from '../../ui/table/table.tsx';
import { Id, Soft, Status, Time } from '../../ui/text/text.tsx';
import css from './audit.module.css';
import { actorKinds, nameAction, outcomes } from './messages.ts';
import { RecordDialog } from './record-dialog.tsx';

/** `nameTarget`: a link to the target where the page knows one. Render `dialog` once. */
export function useAuditColumns(nameTarget?: (record: AuditRecord) => ReactNode): {
  columns: Column<AuditRecord>[];
  dialog: ReactNode;
} {
  const me = useMe();
  const [opened, setOpened] = useState<AuditRecord | null>(null);
  const columns: Column<AuditRecord>[] = [
    {
      name: 'Action',
      cell: (record) => (
        <button type="button" className={css.action} onClick={() => setOpened(record)}>
          {nameAction(record.action)}
        </button>
      ),
    },
    {
      name: 'Actor',
      cell: ({ actor }) => (actor.id === me.id ? 'You' : <Actor {...actor} />),
      isSecondary: true,
    },
    {
      name: 'Target',
      cell: (record) => nameTarget?.(record) ?? record.email ?? (record.target === null ? '–' : <Id id={record.target} />),
      isSecondary: true,
    },
    { name: 'Outcome', cell: ({ outcome }) => <Status tone={outcomes[outcome].tone}>{outcomes[outcome].name}</Status> },
    { name: 'Time', cell: ({ at }) => <Time at={at} /> },
  ];
  return { columns, dialog: opened && <RecordDialog record={opened} onClose={() => setOpened(null)} /> };
}

function Actor({ kind, id }: AuditRecord['actor']) {
  if (kind === 'task' || kind === 'command') return <Soft>{actorKinds[kind]}</Soft>;
  return (
    <span>
      <Soft>{actorKinds[kind]}</Soft> <Id id={id} />
    </span>
  );
}
