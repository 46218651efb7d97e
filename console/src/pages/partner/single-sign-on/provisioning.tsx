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
import { useRead } from '#api/read.ts';
import { type ForClient, useWrite, write } from '#api/write.ts';
import { usePartner } from '#app/address.ts';
import { formatNumber } from '#format/numbers.ts';
import { Button } from '#ui/button.tsx';
import { ConfirmButton } from '#ui/dialog/dialog.tsx';
import { Empty } from '#ui/feedback/empty.tsx';
import { Banner, Loaded } from '#ui/feedback/feedback.tsx';
import { Row, Section, Stack } from '#ui/layout/page.tsx';
import { SecretPanel } from '#ui/secret/secret-panel.tsx';
import { Table } from '#ui/table/table.tsx';
import { Code } from '#ui/text/code.tsx';
import { Fact, Facts, NoWrap, Soft, Status, Time } from '#ui/text/text.tsx';
import { DirectoryGroups } from './directory-groups.tsx';

type Props = { connection: IdentityConnection };
type Path = { id: string; connection_id: string };

export function Provisioning({ connection }: Props) {
  const partner = usePartner();
  const path = { id: partner, connection_id: connection.id };
  const query = useRead(getProvisioning, { path });
  const [secret, setSecret] = useState<string | null>(null);

  const { run, isRunning } = useWrite();

  async function create({ client }: ForClient) {
    const made = await createProvisioningToken({ client, path });
    setSecret(made.token);
  }

  return (
    <Section
      title="Provisioning"
      about={
        <>
          The directory of the company creates people here, and ends their access (SCIM 2.0).{' '}
          <a href="/docs/identity/provisioning.md" target="_blank" rel="noreferrer">
            <NoWrap>What to click</NoWrap>
          </a>
        </>
      }
    >
      <Loaded query={query} lines={5}>
        {({ data }) =>
          data.provisioning_token === null && data.user_count === 0 ? (
            <Empty
              action={
                <Button isBusy={isRunning} onClick={() => void run(create, {})}>
                  Create the token
                </Button>
              }
            >
              Give the directory a token, and it keeps the people of the company up to date.
            </Empty>
          ) : (
            <State path={path} provisioned={data} onCreate={() => write(create, {})} />
          )
        }
      </Loaded>
      {secret !== null && (
        <SecretPanel
          title="The token of the directory"
          description="Enter it at the directory, with the base URL."
          lines={[secret]}
          fileName="concord-provisioning-token.txt"
          onClose={() => setSecret(null)}
        />
      )}
    </Section>
  );
}

const lostToken = {
  answer_lost: 'Concord did not answer, so the present token may have stopped working. Create one again.',
};

type StateProps = { path: Path; provisioned: Provisioned; onCreate: () => Promise<void> };

function State({ path, provisioned, onCreate }: StateProps) {
  const { base_url, provisioning_token: token, users_without_address_count: without } = provisioned;
  return (
    <Stack>
      <Code label="Base URL" text={base_url} />
      <Facts>
        <Fact name="Token">{token === null ? 'None' : <code>{token.prefix}…</code>}</Fact>
        <Fact name="Last used">
          <Time at={token?.last_used_at} none="Never" />
        </Fact>
        <Fact name="People">
          {formatNumber(provisioned.user_count)}, {formatNumber(provisioned.active_user_count)} active
        </Fact>
        <Fact name="Groups">{formatNumber(provisioned.group_count)}</Fact>
      </Facts>
      <Row>
        <ConfirmButton
          button="Create a new token"
          title="Create a new token?"
          confirm="Create a new token"
          explain={lostToken}
          onConfirm={onCreate}
        >
          The present token stops working at once. Have the directory at hand to enter the new one.
        </ConfirmButton>
        {token !== null && (
          <ConfirmButton
            button="Revoke the token"
            look="plain"
            title="Revoke the token of the directory?"
            confirm="Revoke the token"
            onConfirm={() =>
              write(revokeProvisioningToken, { path }, { done: 'The token of the directory is revoked.' })
            }
          >
            The directory changes nothing here any more. People keep the access that they have.
          </ConfirmButton>
        )}
      </Row>
      {without > 0 && (
        <Banner tone="warning" title={`Active people without access: ${formatNumber(without)}`}>
          They have no address in a verified domain. Verify the domain, or map their address at the directory.
        </Banner>
      )}
      {provisioned.group_count > 0 && <DirectoryGroups path={path} />}
      <Requests requests={provisioned.requests} />
    </Stack>
  );
}

function Requests({ requests }: { requests: ProvisioningRequest[] }) {
  if (requests.length === 0) return <Empty>The directory has sent no request yet.</Empty>;
  return (
    <Table
      label="Last requests of the directory"
      rows={requests.map((request, index) => ({ ...request, key: String(index) }))}
      keyOf={({ key }) => key}
      columns={[
        {
          name: 'Last requests',
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
          name: 'Answer',
          cell: ({ status }) => <Status tone={status < 400 ? 'good' : 'bad'}>{status}</Status>,
        },
        { name: 'Time', at: 'created_at', isSecondary: true },
      ]}
    />
  );
}
