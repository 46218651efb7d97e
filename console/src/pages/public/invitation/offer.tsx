// What an invitation offers.
import type { Invitation } from '@concord/client';
import type { ReactNode } from 'react';
import { formatDay, formatExactTime } from '#format/time.ts';
import { describePermissions, describeTerms } from '#messages/terms.ts';
import css from './invitation.module.css';

export function Offer({ invitation }: { invitation: Invitation }) {
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
          <summary>What the groups may do</summary>
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
