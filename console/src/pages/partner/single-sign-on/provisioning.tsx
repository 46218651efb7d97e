// Provisioning by the directory of the company: what to enter there, and its last requests.
import {
  createProvisioningToken,
  getProvisioning,
  type IdentityConnection,
  type Provisioning as Provisioned,
  type ProvisioningRequest,
  revokeProvisioningToken,
} from '@concord/client';
import { useState } from 'react';
import { useRead } from '../../../api/read.ts';
import { write } from '../../../api/write.ts';
import { formatNumber } from '../../../format/numbers.ts';
import { Button } from '../../../ui/button/button.tsx';
import { Confirm } from '../../../ui/dialog/confirm.tsx';
import { Banner } from '../../../ui/feedback/banner.tsx';
import { Empty } from '../../../ui/feedback/empty.tsx';
import { Loaded } from '../../../ui/feedback/loaded.tsx';
import { Row, Section, Stack } from '../../../ui/layout/page.tsx';
import { SecretPanel } from '../../../ui/secret/secret-panel.tsx';
import { Table } from '../../../ui/table/table.tsx';
import { Code } from '../../../ui/text/code.tsx';
import { Fact, Facts, NoWrap, Soft, Status, Time } from '../../../ui/text/text.tsx';
import { DirectoryGroups } from './directory-groups.tsx';
import { provisioningWords } from './messages.ts';

type Props = { partner: string; connection: IdentityConnection };
type Path = { id: string; connection_id: string };

export function Provisioning({ partner, connection }: Props) {
  const path = { id: partner, connection_id: connection.id };
  const query = useRead(getProvisioning, { path });
  const [open, setOpen] = useState<'create' | 'revoke' | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const close = () => setOpen(null);

  async function create() {
    const made = await write((client) => createProvisioningToken({ client, path }));
    if (made) setSecret(made.token);
  }

  return (
    <Section
      title={provisioningWords.title}
      about={
        <>
          {provisioningWords.about}{' '}
          <a href="/docs/identity/provisioning.md" target="_blank" rel="noreferrer">
            <NoWrap>{provisioningWords.toClick}</NoWrap>
          </a>
        </>
      }
    >
      <Loaded query={query} lines={5}>
        {({ data }) =>
          data.provisioning_token === null && data.user_count === 0 ? (
            <Empty action={<Button onClick={() => void create()}>{provisioningWords.create}</Button>}>
              {provisioningWords.empty}
            </Empty>
          ) : (
            <State path={path} provisioned={data} onOpen={setOpen} />
          )
        }
      </Loaded>
      {secret !== null && (
        <SecretPanel
          title={provisioningWords.secret}
          description={provisioningWords.secretAbout}
          lines={[secret]}
          fileName="concord-provisioning-token.txt"
          onClose={() => setSecret(null)}
        />
      )}
      {open === 'create' && (
        <Confirm
          title={provisioningWords.replaceTitle}
          confirm={provisioningWords.replace}
          onClose={close}
          onConfirm={create}
        >
          <p>{provisioningWords.replaceAbout}</p>
        </Confirm>
      )}
      {open === 'revoke' && (
        <Confirm
          title={provisioningWords.revokeTitle}
          confirm={provisioningWords.revoke}
          onClose={close}
          onConfirm={() =>
            write((client) => revokeProvisioningToken({ client, path }), {
              done: provisioningWords.revoked,
            })
          }
        >
          <p>{provisioningWords.revokeAbout}</p>
        </Confirm>
      )}
    </Section>
  );
}

type StateProps = { path: Path; provisioned: Provisioned; onOpen: (what: 'create' | 'revoke') => void };

function State({ path, provisioned, onOpen }: StateProps) {
  const { base_url, provisioning_token: token, users_without_address_count: without } = provisioned;
  return (
    <Stack>
      <Code label={provisioningWords.url} text={base_url} />
      <Facts>
        <Fact name={provisioningWords.token}>
          {token === null ? provisioningWords.none : <code>{token.prefix}…</code>}
        </Fact>
        <Fact name={provisioningWords.used}>
          <Time at={token?.last_used_at} none={provisioningWords.never} />
        </Fact>
        <Fact name={provisioningWords.people}>
          {provisioningWords.active(
            formatNumber(provisioned.user_count),
            formatNumber(provisioned.active_user_count),
          )}
        </Fact>
        <Fact name={provisioningWords.groups}>{formatNumber(provisioned.group_count)}</Fact>
      </Facts>
      <Row>
        <Button onClick={() => onOpen('create')}>{provisioningWords.replace}</Button>
        {token !== null && (
          <Button look="plain" onClick={() => onOpen('revoke')}>
            {provisioningWords.revoke}
          </Button>
        )}
      </Row>
      {without > 0 && (
        <Banner tone="warning" title={provisioningWords.without(formatNumber(without))}>
          <p>{provisioningWords.withoutAbout}</p>
        </Banner>
      )}
      {provisioned.group_count > 0 && <DirectoryGroups path={path} />}
      <Requests requests={provisioned.requests} />
    </Stack>
  );
}

function Requests({ requests }: { requests: ProvisioningRequest[] }) {
  if (requests.length === 0) return <Empty>{provisioningWords.noRequests}</Empty>;
  return (
    <Table
      label={provisioningWords.requests}
      rows={requests.map((request, index) => ({ ...request, key: String(index) }))}
      keyOf={({ key }) => key}
      columns={[
        {
          name: provisioningWords.request,
          cell: ({ method, path, detail }) => (
            <>
              <code>
                {method} {path}
              </code>
              {detail !== null && (
                <p>
                  <Soft>{detail}</Soft>
                </p>
              )}
            </>
          ),
        },
        {
          name: provisioningWords.answer,
          cell: ({ status }) => <Status tone={status < 400 ? 'good' : 'bad'}>{status}</Status>,
        },
        {
          name: provisioningWords.time,
          cell: ({ created_at }) => <Time at={created_at} />,
          isSecondary: true,
        },
      ]}
    />
  );
}
