// One service account: what it may do, and its access tokens.
import {
  deleteServiceAccount,
  getPartnerAgreement,
  getServiceAccount,
  listServiceAccountTokens,
  type ServiceAccount,
} from '@concord/client';
import { Link, useNavigate } from '@tanstack/react-router';
import { type Answer, useRead } from '#api/read.ts';
import { write } from '#api/write.ts';
import { usePartner, usePath } from '#app/address.ts';
import { formatCount } from '#format/numbers.ts';
import { Confirm } from '#ui/dialog/confirm.tsx';
import { DialogButton } from '#ui/dialog/dialog-button.tsx';
import { Loaded } from '#ui/feedback/loaded.tsx';
import { Page, Section } from '#ui/layout/page.tsx';
import { Fact, Facts } from '#ui/text/text.tsx';
import { OwnersOnly } from '../owners-only.tsx';
import { describeAccess } from '../people/agreement.ts';
import { History } from '../people/history.tsx';
import { Tokens } from './tokens.tsx';

export function ServiceAccountPage() {
  const { account } = usePath();
  return (
    <OwnersOnly title="Service account">
      <Found account={account} />
    </OwnersOnly>
  );
}

function Found({ account }: { account: string }) {
  const partner = usePartner();
  const query = useRead(getServiceAccount, { path: { id: partner, service_account_id: account } });
  return (
    <Loaded query={query} lines={8} frame={(shown) => <Page title="Service account">{shown}</Page>}>
      {(answer) => <Account answer={answer} />}
    </Loaded>
  );
}

function Account({ answer }: { answer: Answer<ServiceAccount> }) {
  const partner = usePartner();
  const { id, name, agreement_id, created_at } = answer.data;
  const agreement = useRead(getPartnerAgreement, { path: { id: partner, agreement_id } });
  return (
    <Page
      title={name}
      above={
        <Link to="/p/$partner/service-accounts" params={{ partner }}>
          Service accounts
        </Link>
      }
      action={
        <DialogButton look="plain" dialog={(onClose) => <DeleteAccount answer={answer} onClose={onClose} />}>
          Delete
        </DialogButton>
      }
    >
      <Facts>
        <Fact name="May do">
          <Link to="/p/$partner/people/$agreement" params={{ partner, agreement: agreement_id }}>
            {agreement.data === undefined ? 'See its agreement' : describeAccess(agreement.data.data)}
          </Link>
        </Fact>
        <Fact name="Created" at={created_at} />
        <Fact name="Id" id={id} />
        <Fact name="Agreement" id={agreement_id} />
      </Facts>
      <Section
        title="Access tokens"
        about="A token may do what both its scopes and the agreement of the account allow."
      >
        <Tokens account={answer.data} />
      </Section>
      <History target={id} />
    </Page>
  );
}

type DeleteProps = { answer: Answer<ServiceAccount>; onClose: () => void };
function DeleteAccount({ answer, onClose }: DeleteProps) {
  const partner = usePartner();
  const navigate = useNavigate();
  const { id, name } = answer.data;
  const path = { id: partner, service_account_id: id };
  const tokens = useRead(listServiceAccountTokens, { path, query: { page_size: 1 } }).data?.total ?? null;
  return (
    <Confirm
      title={`Delete ${name}?`}
      confirm={`Delete ${name}`}
      onClose={onClose}
      onConfirm={async () => {
        await write(
          deleteServiceAccount,
          { path },
          {
            done: `${name} is deleted.`,
            leave: () => navigate({ to: '/p/$partner/service-accounts', params: { partner } }),
          },
        );
      }}
    >
      <p>
        {tokens === null
          ? 'Its access tokens stop'
          : `${formatCount(tokens, 'access token stops', 'access tokens stop')}`}{' '}
        working with the next request. The account cannot be restored.
      </p>
    </Confirm>
  );
}
