// Step 2: the domains whose addresses the connection may assert, each with the DNS record that proves it.
import {
  addDomain,
  deleteDomain,
  type IdentityConnection,
  type VerifiedDomain,
  verifyDomain,
} from '@concord/client';
import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import type { Answer } from '#api/read.ts';
import { toast } from '#api/toasts.ts';
import { useWrite, write } from '#api/write.ts';
import { usePartner } from '#app/address.ts';
import { formatExactTime } from '#format/time.ts';
import type { State } from '#messages/state.ts';
import { Button } from '#ui/button.tsx';
import { Confirm, Dialog, FormDialog } from '#ui/dialog/dialog.tsx';
import { Empty } from '#ui/feedback/empty.tsx';
import { Banner, Loaded } from '#ui/feedback/feedback.tsx';
import { TextField } from '#ui/form/field.tsx';
import { Row, Section } from '#ui/layout/page.tsx';
import { Table } from '#ui/table/table.tsx';
import { Code } from '#ui/text/code.tsx';
import { Soft, Status, Time } from '#ui/text/text.tsx';
import { checks } from './messages.ts';
import css from './single-sign-on.module.css';

const domainProblems = {
  domain_taken:
    'Another partner has verified this domain, and its record is still there. Remove that record from DNS, then check again: the domain moves here.',
};

const domainStates: Readonly<Record<VerifiedDomain['status'], State>> = {
  pending: { tone: 'info', label: 'Pending' },
  verified: { tone: 'good', label: 'Verified' },
  lost: { tone: 'bad', label: 'No record' },
};

type Props = {
  connection: IdentityConnection;
  query: UseQueryResult<Answer<VerifiedDomain[]>>;
};

export function Domains({ connection, query }: Props) {
  const partner = usePartner();
  const [isAdding, setAdding] = useState(false);
  const { run } = useWrite();
  const path = { id: partner, connection_id: connection.id };
  const add = <Button onClick={() => setAdding(true)}>Add a domain</Button>;

  async function check({ id }: VerifiedDomain) {
    const checked = await run(verifyDomain, { path: { ...path, domain_id: id } });
    if (checked === undefined) return;
    const { domain, last_check } = checked;
    if (last_check === 'missing' || last_check === 'failed')
      toast({ tone: 'warning', text: `${domain}: ${checks[last_check]}` });
    else toast({ tone: 'good', text: `${domain} is verified.` });
  }

  return (
    <Section
      title="2. Prove your domains"
      about="The connection signs in only people whose address is of a verified domain. A subdomain is a separate domain."
      action={query.data?.data.length ? add : undefined}
    >
      <Loaded query={query} lines={3}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty action={add}>Add the domain of your e-mail addresses.</Empty>
          ) : (
            <>
              <Table
                label="Domains"
                rows={data}
                keyOf={({ id }) => id}
                nameOf={({ domain }) => domain}
                columns={[
                  { name: 'Domain', cell: ({ domain }) => domain },
                  { name: 'State', cell: ({ status }) => <Status {...domainStates[status]} /> },
                  { name: 'Last check', at: 'checked_at', isSecondary: true },
                ]}
                actions={(domain) => [
                  { label: 'Check now', onSelect: () => void check(domain) },
                  {
                    label: 'Show its record',
                    dialog: (onClose) => (
                      <Dialog title={`The record of ${domain.domain}`} onClose={onClose}>
                        <DomainRecord domain={domain} />
                      </Dialog>
                    ),
                  },
                  {
                    label: 'Delete',
                    isDangerous: true,
                    dialog: (onClose) => <DeleteDomain path={path} domain={domain} onClose={onClose} />,
                  },
                ]}
              />
              {data
                .filter(({ status }) => status !== 'verified')
                .map((domain) => (
                  <DomainRecord key={domain.id} domain={domain} onCheck={() => check(domain)} />
                ))}
            </>
          )
        }
      </Loaded>
      {isAdding && <AddDomain path={path} onClose={() => setAdding(false)} />}
    </Section>
  );
}

type DialogProps = { path: { id: string; connection_id: string }; onClose: () => void };

function DeleteDomain({
  path,
  domain: { id, domain: name },
  onClose,
}: DialogProps & { domain: VerifiedDomain }) {
  return (
    <Confirm
      title={`Delete ${name}?`}
      confirm="Delete the domain"
      onClose={onClose}
      onConfirm={() =>
        write(deleteDomain, { path: { ...path, domain_id: id } }, { done: `${name} is deleted.` })
      }
    >
      People with its addresses cannot sign in with the connection any more. Their agreements stay.
    </Confirm>
  );
}

function AddDomain({ path, onClose }: DialogProps) {
  return (
    <FormDialog
      title="Add a domain"
      onClose={onClose}
      submit="Add the domain"
      explain={domainProblems}
      onSubmit={(values) => {
        const body = { domain: values.text('domain').trim() };
        return write(
          addDomain,
          { path, body },
          { done: `${body.domain} is added. Publish its record next.` },
        );
      }}
    >
      <TextField
        name="domain"
        label="Domain"
        placeholder="nordlys.example"
        required
        autoFocus
        autoCapitalize="none"
        spellCheck={false}
        help="The part after the @ in your addresses."
      />
    </FormDialog>
  );
}

const dayMs = 86_400_000;
/** How long a domain whose record is missing stays verified (K7). */
const graceDays = 7;

type DomainRecordProps = { domain: VerifiedDomain; onCheck?: () => Promise<unknown> };

function DomainRecord({ domain, onCheck }: DomainRecordProps) {
  const { domain: name, status, record, last_check, checked_at, lost_at } = domain;
  const [isChecking, setChecking] = useState(false);
  return (
    <div className={css.record}>
      {lost_at !== null && (
        <Banner tone="warning" title={`The record of ${name} is missing`}>
          People who have access keep it, and nobody new joins. Restore the record before{' '}
          {formatExactTime(new Date(Date.parse(lost_at) + graceDays * dayMs))}. Afterwards the domain is not
          verified any more.
        </Banner>
      )}
      <p>
        {status === 'verified' ? 'This TXT record proves ' : 'Publish this TXT record to prove '}
        <b>{name}</b>. It must stay.
      </p>
      <Code label={`Name, for ${name}`} text={record.name} />
      <Code label={`Value, for ${name}`} text={record.value} />
      {onCheck && (
        <Row>
          <Button
            isBusy={isChecking}
            onClick={async () => {
              setChecking(true);
              await onCheck();
              setChecking(false);
            }}
          >
            Check now
          </Button>
          {(last_check === 'missing' || last_check === 'failed') && (
            <Soft>
              <Time at={checked_at} />: {checks[last_check]}
            </Soft>
          )}
        </Row>
      )}
    </div>
  );
}
