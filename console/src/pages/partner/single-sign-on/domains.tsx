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
import type { Answer } from '../../../api/read.ts';
import { toast } from '../../../api/toasts.ts';
import { useWrite, write } from '../../../api/write.ts';
import { Button } from '../../../ui/button/button.tsx';
import { Confirm } from '../../../ui/dialog/confirm.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx';
import { Empty } from '../../../ui/feedback/empty.tsx';
import { Loaded } from '../../../ui/feedback/loaded.tsx';
import { TextField } from '../../../ui/form/field.tsx';
import { Section } from '../../../ui/layout/page.tsx';
import { Table } from '../../../ui/table/table.tsx';
import { Status, Time } from '../../../ui/text/text.tsx';
import { DomainRecord } from './domain-record.tsx';
import { checks, domainProblems, domainStates } from './messages.ts';

type Props = {
  partner: string;
  connection: IdentityConnection;
  query: UseQueryResult<Answer<VerifiedDomain[]>>;
};
type Open =
  | { readonly what: 'add' }
  | { readonly what: 'record' | 'delete'; readonly domain: VerifiedDomain };

export function Domains({ partner, connection, query }: Props) {
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  const { run } = useWrite();
  const path = { id: partner, connection_id: connection.id };
  const add = <Button onClick={() => setOpen({ what: 'add' })}>Add a domain</Button>;

  async function check({ id }: VerifiedDomain) {
    const checked = await run((client) => verifyDomain({ client, path: { ...path, domain_id: id } }));
    if (checked === undefined) return;
    const { domain, last_check } = checked;
    if (last_check === 'missing' || last_check === 'failed')
      toast({ tone: 'warning', text: `${domain}: ${checks[last_check]}` });
    else toast({ tone: 'good', text: `${domain} is verified.` });
  }

  return (
    <Section
      title="2. Prove your domains"
      about="The connection signs in only people whose address is of a verified domain. A subdomain is a domain of its own."
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
                  {
                    name: 'State',
                    cell: ({ status }) => <Status {...domainStates[status]} />,
                  },
                  {
                    name: 'Last check',
                    cell: ({ checked_at }) => <Time at={checked_at} />,
                    isSecondary: true,
                  },
                ]}
                actions={(domain) => [
                  { label: 'Check now', onSelect: () => void check(domain) },
                  { label: 'Show its record', onSelect: () => setOpen({ what: 'record', domain }) },
                  {
                    label: 'Delete',
                    isDangerous: true,
                    onSelect: () => setOpen({ what: 'delete', domain }),
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
      {open?.what === 'add' && <AddDomain path={path} onClose={close} />}
      {open?.what === 'record' && (
        <Dialog title={`The record of ${open.domain.domain}`} onClose={close}>
          <DomainRecord domain={open.domain} />
        </Dialog>
      )}
      {open?.what === 'delete' && (
        <Confirm
          title={`Delete ${open.domain.domain}?`}
          confirm="Delete the domain"
          onClose={close}
          onConfirm={() =>
            write((client) => deleteDomain({ client, path: { ...path, domain_id: open.domain.id } }), {
              done: `${open.domain.domain} is deleted.`,
            })
          }
        >
          <p>People with its addresses cannot sign in with the connection any more. Their agreements stay.</p>
        </Confirm>
      )}
    </Section>
  );
}

type AddProps = { path: { id: string; connection_id: string }; onClose: () => void };

function AddDomain({ path, onClose }: AddProps) {
  return (
    <FormDialog
      title="Add a domain"
      onClose={onClose}
      hasCancel={false}
      submit="Add the domain"
      explain={domainProblems}
      onSubmit={async (values) => {
        const body = { domain: values.text('domain').trim() };
        await write((client) => addDomain({ client, path, body }), {
          done: `${body.domain} is added. Publish its record next.`,
        });
        onClose();
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
        help="What stands after the @ in your addresses."
      />
    </FormDialog>
  );
}
