// The columns of records of the audit log. The action leads to the whole record.
import type { AuditRecord } from '@concord/client';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMe } from '#app/session.ts';
import { classNames } from '#ui/class-names.ts';
import type { Column } from '#ui/table/table.tsx';
import { Faint, Id, MiddleCut, Soft, Status, shortId, Time } from '#ui/text/text.tsx';
import css from './audit.module.css';
import { nameAction, outcomes } from './messages.ts';
import { endpointOf, type Names } from './names.ts';
import { Actor, Named } from './who.tsx';

type Options = {
  /** The partner whose log it is. Null: the log of the platform, which also says at which partner. */
  partner: string | null;
  /** A link to the target where the page knows one. */
  linkTarget?: LinkTarget;
  /** Names of groups and endpoints, where the page knows them. */
  names?: Names;
};

export function useAuditColumns({ partner, linkTarget, names }: Options): Column<AuditRecord>[] {
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
            {outcome !== 'done' && <Status {...outcomes[outcome]} />}
          </div>
        </>
      ),
    },
    { name: 'Actor', cell: ({ actor }) => (actor.id === me.id ? 'You' : <Actor {...actor} />) },
    {
      name: 'Target',
      cell: (record) => <Target record={record} linkTarget={linkTarget} names={names} />,
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

export type LinkTarget = (record: AuditRecord, endpoint?: ReactNode) => ReactNode;
type TargetProps = { record: AuditRecord; linkTarget: LinkTarget | undefined; names: Names | undefined };
/** Several endpoints can have one host: their paths, descriptions or ids tell them apart. */
function Target({ record, linkTarget, names }: TargetProps) {
  const { target, target_name: name, email } = record;
  if (target?.startsWith('whe_') && name !== null) {
    const endpoint = endpointOf(names, target, name);
    const text = endpoint === null ? name : <MiddleCut text={endpoint.url.replace('https://', '')} />;
    return (
      <span className={classNames(css.cut, css.endpoint)} title={endpoint?.url ?? name}>
        <span>{linkTarget?.(record, text) ?? text}</span>
        <Faint>{endpoint?.description ?? shortId(target)}</Faint>
      </span>
    );
  }
  return (
    <Named
      name={name}
      email={email}
      link={linkTarget?.(record)}
      otherwise={<Unnamed record={record} />}
      isCut
    />
  );
}

const Unnamed = ({ record: { target } }: { record: AuditRecord }) =>
  target === null ? '–' : <Id id={target} />;

const PartnerLink = ({ id, name }: { id: string; name: string }) => (
  <Link to="/p/$partner" params={{ partner: id }} className={css.cut} title={name}>
    {name}
  </Link>
);
