// The link in the mail of an invitation: what is offered, by whom, and accept or decline. Opening it answers
// nothing.
import { getInvitation, type Invitation } from '@concord/client';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useRead } from '#api/read.ts';
import { usePath } from '#app/address.ts';
import { fragment } from '#app/link-fragment.ts';
import { formatDay, formatExactTime } from '#format/time.ts';
import { describePermissions, describeTerms } from '#messages/terms.ts';
import { Banner, Loaded, toError } from '#ui/feedback/feedback.tsx';
import { Page } from '#ui/layout/page.tsx';
import { NoToken } from '../links/link-page.tsx';
import { Answer } from './answer.tsx';
import css from './invitation.module.css';
import { invitationProblems } from './messages.ts';

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
          The invitation is deleted, and nobody has access through it. You can close this page.
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

function Offer({ invitation }: { invitation: Invitation }) {
  const {
    acl_permission_groups: groups,
    email,
    expires_at,
    invitation_expires_at,
    mfa_required,
    owner,
  } = invitation;
  return (
    <>
      <dl className={css.offer}>
        <Row name="For">{email}</Row>
        <Row name="Gives you">
          <ul>
            {describeTerms(invitation).map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </Row>
        {mfa_required && <Row name="Second factor">Required</Row>}
        <Row name="Access ends">{expires_at === null ? 'Never' : formatDay(expires_at)}</Row>
        <Row name="Answer until">{formatExactTime(invitation_expires_at)}</Row>
      </dl>
      {!owner && groups.length > 0 && (
        <details className={css.details}>
          <summary>What the groups grant</summary>
          <dl>
            {groups.map((group) => (
              <div key={group.id}>
                <dt>{group.name}</dt>
                {describePermissions(group.acl_permissions).map((line) => (
                  <dd key={line}>{line}</dd>
                ))}
              </div>
            ))}
          </dl>
        </details>
      )}
    </>
  );
}

const Row = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);
