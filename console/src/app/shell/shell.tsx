// The frame of pages of signed-in people: the rail, and the page beside it.
import { Outlet, useBlocker, useLocation, useParams } from '@tanstack/react-router';
import { Suspense, useState, useSyncExternalStore } from 'react';
import { signInQuestion } from '#api/questions.ts';
import { Button, IconButton } from '#ui/button/button.tsx';
import { Dialog, DialogActions } from '#ui/dialog/dialog.tsx';
import { Modal } from '#ui/dialog/modal.tsx';
import { Skeleton } from '#ui/feedback/loaded.tsx';
import { hasUnsaved } from '#ui/form/unsaved.ts';
import { MenuIcon } from '#ui/icons.tsx';
import { Conflict } from '../conflict.tsx';
import { HealthBanner } from '../health-banner.tsx';
import { useRefusal } from '../single-sign-on/refusal.ts';
import { SignInBanner, SignInDialog } from '../single-sign-on/sign-in-needed.tsx';
import { StepUpDialog } from '../step-up-dialog.tsx';
import { Rail } from './rail.tsx';
import { SearchButton } from './search.tsx';
import css from './shell.module.css';

export function Shell() {
  const { pathname } = useLocation();
  const { partner } = useParams({ strict: false }) as { partner?: string };
  const isRefused = useRefusal(partner);
  const question = useSyncExternalStore(signInQuestion.subscribe, signInQuestion.read);
  /** The page on which the menu was opened. */
  const [openAt, setOpenAt] = useState<string | null>(null);
  // Another page closes the menu, and it stays closed when the person comes back.
  if (openAt !== null && openAt !== pathname) setOpenAt(null);
  return (
    <div className={css.shell}>
      <a href="#content" className={css.skip}>
        Skip to the content
      </a>
      <header className={css.top}>
        <IconButton label="Menu" aria-haspopup="dialog" onClick={() => setOpenAt(pathname)}>
          <MenuIcon />
        </IconButton>
        {openAt === pathname && (
          <Modal label="Menu" className={css.drawer} onClose={() => setOpenAt(null)}>
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
        {isRefused && partner !== undefined && <SignInBanner />}
        <Suspense fallback={<Skeleton lines={8} />}>
          <Outlet />
        </Suspense>
      </main>
      {question !== null && <SignInDialog partner={partner} onAnswer={question.answer} />}
      <StepUpDialog />
      <Conflict key={pathname} />
      <LeaveQuestion />
    </div>
  );
}

function LeaveQuestion() {
  const blocker = useBlocker({
    // Filters and tabs of a page are in its search.
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname && hasUnsaved(),
    enableBeforeUnload: hasUnsaved,
    withResolver: true,
  });
  if (blocker.status !== 'blocked') return null;
  return (
    <Dialog
      title="Leave without saving?"
      description="What you typed on this page is not saved. It is lost when you leave."
      onClose={blocker.reset}
    >
      <DialogActions>
        <Button onClick={blocker.proceed}>Leave without saving</Button>
        <Button look="primary" onClick={blocker.reset}>
          Stay on the page
        </Button>
      </DialogActions>
    </Dialog>
  );
}
