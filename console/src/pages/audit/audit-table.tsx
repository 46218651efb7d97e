// The columns of records of the audit log. The action leads to the whole record.
import type { AuditRecord } from '@concord/client';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMe } from '../../app/session.ts';
import type { Column } from '../../ui/table/table.tsx';
import { Id, Soft, Status, Time } from '../../ui/text/text.tsx';
import { nameAction, outcomes } from './messages.ts';
import { Actor, Named } from './who.tsx';

type Options = {
  /** The partner whose log it is. Null: the log of the platform, which also says at which partner. */
  partner: string | null;
  /** A link to the target where the page knows one. */
  linkTarget?: (record: AuditRecord) => ReactNode;
};

export function useAuditColumns({ partner, linkTarget }: Options): Column<AuditRecord>[] {
  const me = useMe();
  const columns: (Column<AuditRecord> | null)[] = [
    {
      name: 'Action',
      cell: ({ id, action }) =>
        partner === null ? (
          <Link to="/admin/audit/$record" params={{ record: id }}>
            {nameAction(action)}
          </Link>
        ) : (
          <Link to="/p/$partner/audit/$record" params={{ partner, record: id }}>
            {nameAction(action)}
          </Link>
        ),
    },
    { name: 'Actor', cell: ({ actor }) => (actor.id === me.id ? 'You' : <Actor {...actor} />) },
    {
      name: 'Target',
      cell: (record) => (
        <Named name={linkTarget?.(record) ?? record.target_name} email={record.email} otherwise={<Unnamed record={record} />} />
      ),
      isSecondary: true,
    },
    partner === null
      ? {
          name: 'Partner',
          cell: ({ partner_id, partner_name }) =>
            partner_id === null ? (
              <Soft>–</Soft>
            ) : partner_name === null ? (
              <Id id={partner_id} />
            ) : (
              <PartnerLink id={partner_id} name={partner_name} />
            ),
          isSecondary: true,
        }
      : null,
    {
      name: 'Outcome',
      cell: ({ outcome }) => <Status tone={outcomes[outcome].tone}>{outcomes[outcome].name}</Status>,
      isSecondary: true,
    },
    { name: 'Time', cell: ({ at }) => <Time at={at} /> },
  ];
  return columns.filter((column) => column !== null);
}

const Unnamed = ({ record: { target } }: { record: AuditRecord }) => (target === null ? '–' : <Id id={target} />);

const PartnerLink = ({ id, name }: { id: string; name: string }) => (
  <Link to="/p/$partner" params={{ partner: id }}>
    {name}
  </Link>
);
