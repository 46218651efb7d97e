// Asks once before something that cannot be undone, or that others notice.
import { ConcordError } from '@concord/client';
import { type ReactNode, useState } from 'react';
import { Button } from '../button.tsx';
import { Problem } from '../feedback/problem.tsx';
import { Dialog, DialogActions } from './dialog.tsx';

type Props = {
  title: string;
  children: ReactNode;
  /** What the button does: "Delete the endpoint". */
  confirm: string;
  isDangerous?: boolean;
  explain?: Readonly<Record<string, string>>;
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
};

/** Closes itself when it is done. A failure stays in the dialog. */
export function Confirm({
  title,
  children,
  confirm,
  isDangerous = true,
  explain,
  onConfirm,
  onClose,
}: Props) {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<ConcordError | null>(null);

  async function run() {
    setBusy(true);
    try {
      await onConfirm();
      onClose();
    } catch (error) {
      if (!(error instanceof ConcordError)) throw error;
      setFailure(error);
    } finally {
      setBusy(false);
    }
  }

  return (
    <Dialog title={title} onClose={onClose} description={children}>
      {failure && <Problem error={failure} explain={explain} />}
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button look={isDangerous ? 'danger' : 'primary'} isBusy={isBusy} onClick={() => void run()}>
          {confirm}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
