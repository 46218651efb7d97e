// The columns of records of the audit log. The action leads to the whole record.
import type { AuditRecord } from '@concord/client';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMe } from '../../app/session.ts';
import type { Column } from '../../ui/table/table.tsx';
import { Faint, Id, Soft, Status, Time } from '../../ui/text/text.tsx';
import css from './audit.module.css';
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
      cell: ({ id, at, action, outcome }) => (
        <>
          {partner === null ? (
            <Link to="/admin/audit/$record" params={{ record: id }}>
              {nameAction(action)}
            </Link>
          ) : (
            <Link to="/p/$partner/audit/$record" params={{ partner, record: id }}>
              {nameAction(action)}
            </Link>
          )}
          <div className={css.below}>
            <Faint>
              <Time at={at} />
            </Faint>
            {outcome !== 'done' && <Status tone={outcomes[outcome].tone}>{outcomes[outcome].name}</Status>}
          </div>
        </>
      ),
    },
    { name: 'Actor', cell: ({ actor }) => (actor.id === me.id ? 'You' : <Actor {...actor} />) },
    {
      name: 'Target',
      cell: (record) => (
        <Named
          name={record.target_name}
          email={record.email}
          link={linkTarget?.(record)}
          otherwise={<Unnamed record={record} />}
          isCut
        />
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
  ];
  return columns.filter((column) => column !== null);
}

const Unnamed = ({ record: { target } }: { record: AuditRecord }) =>
  target === null ? '–' : <Id id={target} />;

const PartnerLink = ({ id, name }: { id: string; name: string }) => (
  <Link to="/p/$partner" params={{ partner: id }} className={css.cut} title={name}>
    {name}
  </Link>
);
