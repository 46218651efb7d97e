// The rail: search and the partner on top, its sections, the platform for operators, and the account below,
// which is always in sight.
import { createLink, useLocation, useParams } from '@tanstack/react-router';
import { type AnchorHTMLAttributes, type ReactNode, type Ref, useEffect, useRef } from 'react';
import { Button } from '#ui/button.tsx';
import { DownIcon } from '#ui/icons.tsx';
import { useAccess, useMe } from '../session.ts';
import { useSignOut } from '../sign-out.ts';
import { HomeIcon } from './icons.tsx';
import { isFolded, keepFolded, useKeptPartner } from './kept.ts';
import { pageGroups } from './pages.ts';
import { PartnerSwitcher } from './partner-switcher.tsx';
import { SearchButton } from './search.tsx';
import css from './shell.module.css';

export function Rail() {
  const me = useMe();
  const { partner } = useParams({ strict: false });
  const { pathname } = useLocation();
  const kept = useKeptPartner(partner);
  // The start lists all partners, so none is chosen there.
  const sections = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (pathname !== '')
      sections.current?.querySelector('[aria-current=page]')?.scrollIntoView({ block: 'nearest' });
  }, [pathname]);
  const shown = partner ?? (pathname === '/' ? null : kept);
  const access = useAccess(shown ?? '');
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
        {pageGroups(access, shown).map(({ name, pages }) => (
          <Group key={name} name={name}>
            {pages.map(([label, Icon, to]) => (
              <NavLink
                key={to}
                to={to}
                params={{ partner: shown ?? '' }}
                activeOptions={{ exact: label === 'Overview' }}
              >
                <Icon />
                {label}
              </NavLink>
            ))}
          </Group>
        ))}
      </div>
      <div className={css.account}>
        <NavLink to="/account">
          <span className={css.who}>
            <span>{me.name}</span>
            <span className={css.email} title={me.email}>
              {me.email}
            </span>
          </span>
        </NavLink>
        <SignOutButton />
      </div>
    </nav>
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
  const { signOut, isRunning } = useSignOut();
  return (
    <Button
      look="plain"
      isBusy={isRunning}
      onClick={async () => {
        // A fresh page: nothing that this person read stays in memory.
        if (await signOut()) window.location.assign('/console/sign-in');
      }}
    >
      Sign out
    </Button>
  );
}
