// Asks before a page with text that is not saved is left, also when the tab is closed.
import { useBlocker } from '@tanstack/react-router';
import { Button } from '#ui/button/button.tsx';
import { Dialog, DialogActions } from '#ui/dialog/dialog.tsx';
import { hasUnsaved } from '#ui/form/unsaved.ts';

export function LeaveQuestion() {
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
