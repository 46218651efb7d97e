// Accounts of providers with which the person signs in.
import { type LinkedAccount, linkProvider, listLinkedAccounts, unlinkAccount } from '@concord/client';
import { useRead } from '#api/read.ts';
import { write } from '#api/write.ts';
import { useLeave } from '#app/leave.ts';
import { fragmentPart } from '#app/link-fragment.ts';
import { useSettings } from '#app/settings.ts';
import { Button } from '#ui/button.tsx';
import { Confirm } from '#ui/dialog/dialog.tsx';
import { Banner, Loaded } from '#ui/feedback/feedback.tsx';
import { Row, Section } from '#ui/layout/page.tsx';
import { Table } from '#ui/table/table.tsx';

const providerNames: Readonly<Record<string, string>> = {
  google: 'Google',
  github: 'GitHub',
  microsoft: 'Microsoft',
  oidc: 'OpenID Connect',
};

/** The row of the password, which is no link. */
const passwordProvider = 'credential';

/** After the return from a provider that was to be linked. */
const linkProblems: Readonly<Record<string, string>> = {
  provider_refused:
    'The provider did not agree, or its account has another address or belongs to somebody else.',
  email_not_verified: 'The provider has not confirmed your address.',
  provider_unavailable: 'The provider does not answer. Try again in a few seconds.',
};

/** Nothing when Concord knows no provider and none is linked. */
export function LinkedAccounts() {
  const settings = useSettings();
  const accounts = useRead(listLinkedAccounts, {});
  const links = accounts.data?.data.filter(({ providerId }) => providerId !== passwordProvider) ?? [];
  const known = settings?.providers ?? [];
  if (known.length === 0 && links.length === 0) return null;
  const nameOf = (id: string) =>
    known.find(({ provider }) => provider === id)?.name ?? providerNames[id] ?? id;
  return (
    <Section
      title="Sign in with"
      about="Accounts elsewhere that sign you in here. Concord still asks for the second factor."
    >
      <Returned nameOf={nameOf} />
      <Loaded query={accounts}>
        {() => (
          <>
            {links.length > 0 && <Links links={links} nameOf={nameOf} />}
            <Row>
              {known
                .filter(({ provider }) => links.every(({ providerId }) => providerId !== provider))
                .map(({ provider, name }) => (
                  <LinkIt key={provider} provider={provider} name={name} />
                ))}
            </Row>
          </>
        )}
      </Loaded>
    </Section>
  );
}

type Named = { nameOf: (id: string) => string };

function Returned({ nameOf }: Named) {
  const linked = fragmentPart('linked');
  const error = fragmentPart('error');
  if (linked !== '') {
    return <Banner tone="good">{nameOf(linked)} signs you in from now on.</Banner>;
  }
  if (error === '') return null;
  return <Banner tone="bad">{linkProblems[error] ?? 'The account was not linked. Try again.'}</Banner>;
}

function Links({ links, nameOf }: Named & { links: readonly LinkedAccount[] }) {
  return (
    <Table
      label="Linked accounts"
      rows={links}
      keyOf={({ id }) => id}
      nameOf={({ providerId }) => nameOf(providerId)}
      columns={[
        { name: 'Provider', cell: ({ providerId }) => nameOf(providerId) },
        { name: 'Account there', cell: ({ accountId }) => accountId, isSecondary: true },
        { name: 'Linked', at: 'createdAt' },
      ]}
      actions={(link) => [
        {
          label: 'Remove the link',
          isDangerous: true,
          dialog: (onClose) => (
            <Confirm
              title={`Remove the link to ${nameOf(link.providerId)}?`}
              confirm="Remove the link"
              onClose={onClose}
              onConfirm={() =>
                write(unlinkAccount, { body: { id: link.id } }, { done: 'The link is removed.' })
              }
            >
              {nameOf(link.providerId)} does not sign you in any more. Your sessions stay.
            </Confirm>
          ),
        },
      ]}
    />
  );
}

function LinkIt({ provider, name }: { provider: 'google' | 'github' | 'microsoft' | 'oidc'; name: string }) {
  const { isLeaving, leave } = useLeave();
  return (
    <Button isBusy={isLeaving} onClick={() => leave(linkProvider, { body: { provider } })}>
      Link {name}
    </Button>
  );
}
