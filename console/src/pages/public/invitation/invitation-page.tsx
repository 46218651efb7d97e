// The link in the mail of an invitation: what is offered, by whom, and accept or decline. Opening it answers
// nothing.
import { getInvitation } from '@concord/client';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead } from '#api/read.ts';
import { usePath } from '#app/address.ts';
import { fragment } from '#app/link-fragment.ts';
import { Banner } from '#ui/feedback/banner.tsx';
import { Loaded } from '#ui/feedback/loaded.tsx';
import { toError } from '#ui/feedback/problem.tsx';
import { Page } from '#ui/layout/page.tsx';
import { NoToken } from '../links/link-page.tsx';
import { Answer } from './answer.tsx';
import { invitationProblems } from './messages.ts';
import { Offer } from './offer.tsx';

const title = 'Your invitation';

export function InvitationPage() {
  const { agreement: agreement_id } = usePath();
  const [declined, setDeclined] = useState(false);
  const invitation = useRead(
    getInvitation,
    { path: { agreement_id }, headers: { 'invitation-token': fragment } },
    { enabled: fragment !== '' && !declined },
  );
  if (fragment === '') {
    return (
      <NoToken title={title}>
        <p>
          Without that link: <Link to="/">sign in with the invited address</Link>, and answer on your first
          page. Without an account, <Link to="/sign-up">sign up</Link> with that address first.
        </p>
      </NoToken>
    );
  }
  if (declined) {
    return (
      <Page title="You declined">
        <Banner tone="good">
          <p>The invitation is deleted, and nobody has access through it. You can close this page.</p>
        </Banner>
      </Page>
    );
  }
  const problem =
    invitation.data === undefined &&
    invitation.error !== null &&
    invitationProblems[toError(invitation.error).code];
  if (problem) {
    return (
      <Page key="problem" title={problem.title} about={problem.text}>
        <p>
          <Link to="/">Go to your first page</Link>
        </p>
      </Page>
    );
  }
  return (
    <Loaded query={invitation} lines={8}>
      {({ data }) => (
        <Page
          title={title}
          about={`${data.inviter ? `${data.inviter.name} invites you` : 'You are invited'} to work with ${data.partner.name}.`}
        >
          <Offer invitation={data} />
          <Answer invitation={data} token={fragment} onDeclined={() => setDeclined(true)} />
        </Page>
      )}
    </Loaded>
  );
}
