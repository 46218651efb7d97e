// The rail: search and the partner on top, its sections, the platform for operators, and the account below,
// which is always in sight.
import { signOut } from '@concord/client';
import { createLink, useLocation, useParams } from '@tanstack/react-router';
import { type AnchorHTMLAttributes, type ReactNode, type Ref, useEffect, useRef } from 'react';
import { client } from '../../api/client.ts';
import { forgetVisit } from '../../api/return-path.ts';
import { Button } from '../../ui/button/button.tsx';
import { dropDrafts } from '../../ui/form/unsaved.ts';
import {
  DeliveryIcon,
  DownIcon,
  EndpointIcon,
  EventIcon,
  GroupsIcon,
  HomeIcon,
  KeyIcon,
  LinkIcon,
  LogIcon,
  OverviewIcon,
  PeopleIcon,
  ProfileIcon,
  ProgramIcon,
  ReviewIcon,
  SchemaIcon,
  StartIcon,
  SystemIcon,
  VerifyIcon,
} from '../../ui/icons.tsx';
import { useAccess, useMe } from '../session.ts';
import { forgetPartner, isFolded, keepFolded, useKeptPartner } from './kept.ts';
import { PartnerSwitcher } from './partner-switcher.tsx';
import { SearchButton } from './search.tsx';
import css from './shell.module.css';

export function Rail() {
  const me = useMe();
  const { partner } = useParams({ strict: false }) as { partner?: string };
  const { pathname } = useLocation();
  const kept = useKeptPartner(partner);
  // The start lists all partners, so none is chosen there.
  const sections = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (pathname !== '')
      sections.current?.querySelector('[aria-current=page]')?.scrollIntoView({ block: 'nearest' });
  }, [pathname]);
  const shown = partner ?? (pathname === '/' ? null : kept);
  return (
    <nav className={css.rail} aria-label="Main">
      <span className={css.brandInRail}>Concord</span>
      <SearchButton />
      <PartnerSwitcher partnerId={shown} />
      <div ref={sections} className={css.sections}>
        <NavLink to="/" activeOptions={{ exact: true }}>
          <HomeIcon />
          Start
        </NavLink>
        {shown !== null && <PartnerLinks partner={shown} />}
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

/** Pages that would be refused are not offered. */
function PartnerLinks({ partner }: { partner: string }) {
  const { can, rules, agreement } = useAccess(partner);
  const params = { partner };
  return (
    <>
      <Group name="Partner">
        <NavLink to="/p/$partner" params={params} activeOptions={{ exact: true }}>
          <OverviewIcon />
          Overview
        </NavLink>
        {can('partner', 'get') && (
          <NavLink to="/p/$partner/profile" params={params}>
            <ProfileIcon />
            Profile
          </NavLink>
        )}
        {can('agreements', 'query') && (
          <NavLink to="/p/$partner/people" params={params}>
            <PeopleIcon />
            People
          </NavLink>
        )}
        {(rules || agreement !== null) && (
          <NavLink to="/p/$partner/access-requests" params={params}>
            <KeyIcon />
            Access requests
          </NavLink>
        )}
        {rules && (
          <NavLink to="/p/$partner/access-reviews" params={params}>
            <ReviewIcon />
            Access reviews
          </NavLink>
        )}
        {can('acl_permission_groups', 'query') && (
          <NavLink to="/p/$partner/groups" params={params}>
            <GroupsIcon />
            Groups
          </NavLink>
        )}
        {rules && (
          <NavLink to="/p/$partner/service-accounts" params={params}>
            <ProgramIcon />
            Service accounts
          </NavLink>
        )}
        {rules && (
          <NavLink to="/p/$partner/single-sign-on" params={params}>
            <LinkIcon />
            Single sign-on
          </NavLink>
        )}
        {can('audit_log', 'query') && (
          <NavLink to="/p/$partner/audit" params={params}>
            <LogIcon />
            Audit log
          </NavLink>
        )}
      </Group>
      <Group name="Webhooks">
        {can('webhook_endpoints', 'query') && (
          <NavLink to="/p/$partner/webhooks/endpoints" params={params}>
            <EndpointIcon />
            Endpoints
          </NavLink>
        )}
        {can('deliveries', 'query') && (
          <NavLink to="/p/$partner/webhooks/deliveries" params={params}>
            <DeliveryIcon />
            Deliveries
          </NavLink>
        )}
        {can('events', 'query') && (
          <NavLink to="/p/$partner/webhooks/events" params={params}>
            <EventIcon />
            Events
          </NavLink>
        )}
        <NavLink to="/p/$partner/webhooks/event-types" params={params}>
          <SchemaIcon />
          Event types
        </NavLink>
        <NavLink to="/p/$partner/webhooks/verify" params={params}>
          <VerifyIcon />
          Verify a request
        </NavLink>
        {can('webhook_endpoints', 'query') && (
          <NavLink to="/p/$partner/webhooks/quickstart" params={params}>
            <StartIcon />
            Quickstart
          </NavLink>
        )}
      </Group>
    </>
  );
}

function PlatformLinks() {
  return (
    <Group name="Platform">
      <NavLink to="/admin" activeOptions={{ exact: true }}>
        <OverviewIcon />
        Overview
      </NavLink>
      <NavLink to="/admin/partners">
        <ProfileIcon />
        Partners
      </NavLink>
      <NavLink to="/admin/users">
        <PeopleIcon />
        Users
      </NavLink>
      <NavLink to="/admin/event-types">
        <SchemaIcon />
        Event types
      </NavLink>
      <NavLink to="/admin/signing-keys">
        <KeyIcon />
        Signing keys
      </NavLink>
      <NavLink to="/admin/audit">
        <LogIcon />
        Audit log
      </NavLink>
      <NavLink to="/admin/system">
        <SystemIcon />
        System
      </NavLink>
    </Group>
  );
}

/** Folds, and stays so in this browser. */
function Group({ name, children }: { name: string; children: ReactNode }) {
  return (
    <details
      className={css.group}
      open={!isFolded(name)}
      onToggle={({ currentTarget }) => keepFolded(name, !currentTarget.open)}
    >
      <summary>
        {name}
        <DownIcon />
      </summary>
      <div className={css.links}>{children}</div>
    </details>
  );
}

type LinkProps = AnchorHTMLAttributes<HTMLAnchorElement> & { ref?: Ref<HTMLAnchorElement> };
const NavLink = createLink((props: LinkProps) => <a {...props} className={css.link} />);

function SignOutButton() {
  async function run() {
    try {
      await signOut({ client });
    } finally {
      forgetPartner();
      dropDrafts();
      forgetVisit();
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
