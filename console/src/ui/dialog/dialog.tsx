// A dialog over the page. Escape and the button close it; a click beside it only if nothing can be lost.
import { type ReactNode, useId } from 'react';
import { IconButton } from '../button.tsx';
import { classNames } from '../class-names.ts';
import { CrossIcon } from '../icons.tsx';
import css from './dialog.module.css';
import { InDialog } from './in-dialog.ts';
import { Modal } from './modal.tsx';

type Props = {
  title: string;
  description?: ReactNode;
  onClose: () => void;
  children?: ReactNode;
  isWide?: boolean;
  /** Stays when somebody clicks beside it: it has a form, or a secret that is shown once. */
  staysOpen?: boolean;
};

/**
 * The buttons of a dialog, at its end: first the one that cancels, and last the one that does what the dialog
 * is for.
 */
export const DialogActions = ({ children }: { children: ReactNode }) => (
  <div className={css.actions}>{children}</div>
);

/** Render it while it is open. */
export function Dialog({ title, description, onClose, children, isWide = false, staysOpen = false }: Props) {
  const id = useId();
  return (
    <Modal
      labelledBy={id}
      className={classNames(css.popup, isWide && css.wide)}
      onClose={onClose}
      staysOpen={staysOpen}
    >
      <div className={css.head}>
        <h2 id={id} className={css.title}>
          {title}
        </h2>
        <IconButton label="Close" data-close onClick={onClose}>
          <CrossIcon />
        </IconButton>
      </div>
      {description !== undefined && <div className={css.description}>{description}</div>}
      <InDialog value={true}>{children}</InDialog>
    </Modal>
  );
}
