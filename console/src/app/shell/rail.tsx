// The rail: search and the partner on top, its sections, the platform for operators, and the account below.
import { signOut } from '@concord/client';
import { createLink, useParams } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, ReactNode, Ref } from 'react';
import { client } from '../../api/client.ts';
import { Button } from '../../ui/button/button.tsx';
import { useAccess, useMe } from '../session.ts';
import { PartnerSwitcher } from './partner-switcher.tsx';
import { SearchButton } from './search.tsx';
import css from './shell.module.css';

export function Rail() {
  const me = useMe();
  const { partner } = useParams({ strict: false }) as { partner?: string };
  return (
    <nav className={css.rail} aria-label="Main">
      <span className={css.brandInRail}>Concord</span>
      <SearchButton />
      <PartnerSwitcher partnerId={partner ?? null} />
      <div className={css.links}>
        {partner === undefined ? (
          <NavLink to="/" activeOptions={{ exact: true }}>
            Start
          </NavLink>
        ) : (
          <PartnerLinks partner={partner} />
        )}
        {me.role === 'operator' && <PlatformLinks />}
      </div>
      <div className={css.account}>
        <NavLink to="/account">
          <span className={css.who}>
            <span>{me.name}</span>
            <span className={css.email}>{me.email}</span>
          </span>
        </NavLink>
        <SignOutButton />
      </div>
    </nav>
  );
}

/** Sections that the person may not read are not offered. */
function PartnerLinks({ partner }: { partner: string }) {
  const { can, rules } = useAccess(partner);
  const params = { partner };
  return (
    <>
      <NavLink to="/p/$partner" params={params} activeOptions={{ exact: true }}>
        Overview
      </NavLink>
      {can('partner', 'get') && (
        <NavLink to="/p/$partner/profile" params={params}>
          Profile
        </NavLink>
      )}
      {can('agreements', 'query') && (
        <NavLink to="/p/$partner/people" params={params}>
          People
        </NavLink>
      )}
      {can('acl_permission_groups', 'query') && (
        <NavLink to="/p/$partner/groups" params={params}>
          Groups
        </NavLink>
      )}
      {rules && (
        <NavLink to="/p/$partner/service-accounts" params={params}>
          Service accounts
        </NavLink>
      )}
      {can('audit_log', 'query') && (
        <NavLink to="/p/$partner/audit" params={params}>
          Audit log
        </NavLink>
      )}
      <Group name="Webhooks">
        {can('webhook_endpoints', 'query') && (
          <NavLink to="/p/$partner/webhooks/endpoints" params={params}>
            Endpoints
          </NavLink>
        )}
        {can('deliveries', 'query') && (
          <NavLink to="/p/$partner/webhooks/deliveries" params={params}>
            Deliveries
          </NavLink>
        )}
        {can('events', 'query') && (
          <NavLink to="/p/$partner/webhooks/events" params={params}>
            Events
          </NavLink>
        )}
        <NavLink to="/p/$partner/webhooks/event-types" params={params}>
          Event types
        </NavLink>
        <NavLink to="/p/$partner/webhooks/verify" params={params}>
          Verify a request
        </NavLink>
        <NavLink to="/p/$partner/webhooks/quickstart" params={params}>
          Quickstart
        </NavLink>
      </Group>
    </>
  );
}

function PlatformLinks() {
  return (
    <Group name="Platform">
      <NavLink to="/admin" activeOptions={{ exact: true }}>
        Overview
      </NavLink>
      <NavLink to="/admin/partners">Partners</NavLink>
      <NavLink to="/admin/users">Users</NavLink>
      <NavLink to="/admin/event-types">Event types</NavLink>
      <NavLink to="/admin/signing-keys">Signing keys</NavLink>
      <NavLink to="/admin/audit">Audit log</NavLink>
      <NavLink to="/admin/system">System</NavLink>
    </Group>
  );
}

function Group({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <p className={css.group}>{name}</p>
      {children}
    </>
  );
}

type LinkProps = AnchorHTMLAttributes<HTMLAnchorElement> & { ref?: Ref<HTMLAnchorElement> };
const NavLink = createLink((props: LinkProps) => <a {...props} className={css.link} />);

function SignOutButton() {
  async function run() {
    try {
      await signOut({ client });
    } finally {
      // A fresh page: nothing that this person read stays in memory.
      window.location.assign('/console/sign-in');
    }
  }
  return (
    <Button look="plain" onClick={() => void run()}>
      Sign out
    </Button>
  );
}
