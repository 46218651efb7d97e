// The frame of pages of signed-in people: the rail, and the page beside it.
import { Outlet, useLocation } from '@tanstack/react-router';
import { Suspense, useEffect, useState } from 'react';
import { IconButton } from '../../ui/button/button.tsx';
import { Modal } from '../../ui/dialog/modal.tsx';
import { Skeleton } from '../../ui/feedback/loaded.tsx';
import { MenuIcon } from '../../ui/icons.tsx';
import { HealthBanner } from '../health-banner.tsx';
import { StepUpDialog } from '../step-up-dialog.tsx';
import { Rail } from './rail.tsx';
import { SearchButton } from './search.tsx';
import css from './shell.module.css';

export function Shell() {
  const [isOpen, setOpen] = useState(false);
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page closes the menu
  useEffect(() => setOpen(false), [pathname]);
  return (
    <div className={css.shell}>
      <a href="#content" className={css.skip}>
        Skip to the content
      </a>
      <header className={css.top}>
        <IconButton label="Menu" aria-haspopup="dialog" onClick={() => setOpen(true)}>
          <MenuIcon />
        </IconButton>
        {isOpen && (
          <Modal label="Menu" className={css.drawer} onClose={() => setOpen(false)}>
            <Rail />
          </Modal>
        )}
        <span className={css.brand}>Concord</span>
        <SearchButton isSmall />
      </header>
      <div className={css.side}>
        <Rail />
      </div>
      <main id="content" className={css.main} tabIndex={-1}>
        <HealthBanner />
        <Suspense fallback={<Skeleton lines={8} />}>
          <Outlet />
        </Suspense>
      </main>
      <StepUpDialog />
    </div>
  );
}
