// The frame of pages of signed-in people: the rail, and the page beside it.
import { Outlet, useBlocker, useLocation, useParams, useRouterState } from '@tanstack/react-router';
import { Suspense, useEffect, useState, useSyncExternalStore } from 'react';
import { beginWait } from '#api/health.ts';
import { queryClient } from '#api/query-client.ts';
import { signInQuestion } from '#api/questions.ts';
import { isCode } from '#api/read.ts';
import { Button, IconButton } from '#ui/button.tsx';
import { Dialog, DialogActions } from '#ui/dialog/dialog.tsx';
import { Modal } from '#ui/dialog/modal.tsx';
import { Banner, Skeleton } from '#ui/feedback/feedback.tsx';
import { hasUnsaved } from '#ui/form/unsaved.ts';
import { MenuIcon } from '#ui/icons.tsx';
import { Conflict } from '../conflict.tsx';
import { HealthBanner } from '../health-banner.tsx';
import { useAccess } from '../session.ts';
import { WaysIn } from '../single-sign-on/ways-in.tsx';
import { StepUpDialog } from '../step-up-dialog.tsx';
import { Rail } from './rail.tsx';
import { SearchButton } from './search.tsx';
import css from './shell.module.css';

export function Shell() {
  const { pathname } = useLocation();
  const { partner } = useParams({ strict: false });
  const isRefused = useRefusal(partner);
  const isOpening = useIsOpening();
  const question = signInQuestion.useValue();
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
          {isOpening ? <Skeleton lines={8} /> : <Outlet />}
        </Suspense>
      </main>
      {question !== null && <SignInDialog partner={partner} onAnswer={question.answer} />}
      <StepUpDialog />
      <Conflict key={pathname} />
      <LeaveQuestion />
    </div>
  );
}

const quickMs = 300;

/** The next page is on its way, and takes so long that the one before must not stay. */
function useIsOpening(): boolean {
  const isPending = useRouterState({
    select: ({ status, location, resolvedLocation }) =>
      status === 'pending' && location.pathname !== (resolvedLocation ?? location).pathname,
  });
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    if (!isPending) return;
    const endWait = beginWait();
    const timer = setTimeout(() => setSlow(true), quickMs);
    return () => {
      endWait();
      clearTimeout(timer);
      setSlow(false);
    };
  }, [isPending]);
  return isPending && isSlow;
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

const signInAbout =
  'This session has no proof of such a sign-in, or it is too old. Sign in there, and come back here.';

function useTitle(): string {
  const { agreement } = useAccess();
  return `${agreement?.partner.name ?? 'This partner'} requires a sign-in with its identity provider`;
}

/**
 * What a session lacks without the proof of the identity provider, and the ways in: above the page, and over a
 * form.
 */
function SignInBanner() {
  return (
    <Banner tone="warning" title={useTitle()}>
      <p>{signInAbout}</p>
      <WaysIn />
    </Banner>
  );
}

type Props = {
  /** Undefined: this page is of no partner, so nothing can be proven here. */
  partner: string | undefined;
  onAnswer: (isProven: boolean) => void;
};

function SignInDialog({ partner, onAnswer }: Props) {
  useEffect(() => {
    if (partner === undefined) onAnswer(false);
  }, [partner, onAnswer]);
  return partner === undefined ? null : <AskToSignIn onAnswer={onAnswer} />;
}

function AskToSignIn({ onAnswer }: Pick<Props, 'onAnswer'>) {
  return (
    <Dialog title={useTitle()} description={signInAbout} onClose={() => onAnswer(false)} staysOpen>
      <WaysIn onBroken={() => onAnswer(true)} />
    </Dialog>
  );
}

const cache = queryClient.getQueryCache();
const subscribe = (listener: () => void) => cache.subscribe(listener);

const useRefusal = (partner: string | undefined): boolean =>
  useSyncExternalStore(subscribe, () =>
    cache.findAll({ type: 'active' }).some(({ queryKey: [, options], state: { error } }) => {
      const { path } = (options ?? {}) as { path?: { id?: string } };
      return isCode(error, 'sso_required') && path?.id === partner;
    }),
  );
