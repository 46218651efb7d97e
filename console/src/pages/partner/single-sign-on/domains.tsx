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
import { Empty } from '../../../ui/feedback/empty.tsx';
import { Loaded } from '../../../ui/feedback/loaded.tsx';
import { TextField } from '../../../ui/form/field.tsx';
import { Form } from '../../../ui/form/form.tsx';
import { Section } from '../../../ui/layout/page.tsx';
import { Table } from '../../../ui/table/table.tsx';
import { Status, Time } from '../../../ui/text/text.tsx';
import { DomainRecord } from './domain-record.tsx';
import { checks, domainProblems, domainStates, domainWords } from './messages.ts';

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
  const add = <Button onClick={() => setOpen({ what: 'add' })}>{domainWords.add}</Button>;

  async function check({ id }: VerifiedDomain) {
    const checked = await run((client) => verifyDomain({ client, path: { ...path, domain_id: id } }));
    if (checked === undefined) return;
    const { domain, last_check } = checked;
    if (last_check === 'missing' || last_check === 'failed')
      toast({ tone: 'warning', text: `${domain}: ${checks[last_check]}` });
    else toast({ tone: 'good', text: domainWords.verified(domain) });
  }

  return (
    <Section
      title={domainWords.title}
      about={domainWords.about}
      action={query.data?.data.length ? add : undefined}
    >
      <Loaded query={query} lines={3}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty action={add}>{domainWords.empty}</Empty>
          ) : (
            <>
              <Table
                label={domainWords.domains}
                rows={data}
                keyOf={({ id }) => id}
                nameOf={({ domain }) => domain}
                columns={[
                  { name: domainWords.domain, cell: ({ domain }) => domain },
                  {
                    name: domainWords.state,
                    cell: ({ status }) => (
                      <Status tone={domainStates[status].tone}>{domainStates[status].label}</Status>
                    ),
                  },
                  {
                    name: domainWords.checked,
                    cell: ({ checked_at }) => <Time at={checked_at} />,
                    isSecondary: true,
                  },
                ]}
                actions={(domain) => [
                  { label: domainWords.check, onSelect: () => void check(domain) },
                  { label: domainWords.show, onSelect: () => setOpen({ what: 'record', domain }) },
                  {
                    label: domainWords.delete,
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
        <Dialog title={domainWords.record(open.domain.domain)} onClose={close}>
          <DomainRecord domain={open.domain} />
        </Dialog>
      )}
      {open?.what === 'delete' && (
        <Confirm
          title={domainWords.deleteTitle(open.domain.domain)}
          confirm={domainWords.deleteConfirm}
          onClose={close}
          onConfirm={() =>
            write((client) => deleteDomain({ client, path: { ...path, domain_id: open.domain.id } }), {
              done: domainWords.deleted(open.domain.domain),
            })
          }
        >
          <p>{domainWords.deleteAbout}</p>
        </Confirm>
      )}
    </Section>
  );
}

type AddProps = { path: { id: string; connection_id: string }; onClose: () => void };

function AddDomain({ path, onClose }: AddProps) {
  return (
    <Dialog title={domainWords.add} onClose={onClose} staysOpen>
      <Form
        submit={domainWords.addSubmit}
        explain={domainProblems}
        onSubmit={async (values) => {
          const body = { domain: values.text('domain').trim() };
          await write((client) => addDomain({ client, path, body }), {
            done: domainWords.added(body.domain),
          });
          onClose();
        }}
      >
        <TextField
          name="domain"
          label={domainWords.domain}
          placeholder="nordlys.example"
          required
          autoFocus
          autoCapitalize="none"
          spellCheck={false}
          help={domainWords.domainHelp}
        />
      </Form>
    </Dialog>
  );
}
