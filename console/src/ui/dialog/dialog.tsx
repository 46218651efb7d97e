// A dialog over the page. Escape and the button close it; a click beside it only if nothing can be lost.
import { Dialog as Base } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';
import { IconButton } from '../button/button.tsx';
import { classNames } from '../class-names.ts';
import { CrossIcon } from '../icons.tsx';
import css from './dialog.module.css';

type Props = {
  title: string;
  description?: ReactNode;
  onClose: () => void;
  children?: ReactNode;
  isWide?: boolean;
  /** Stays when somebody clicks beside it: it has a form, or a secret that is shown once. */
  staysOpen?: boolean;
};

/** Render it while it is open. */
export function Dialog({ title, description, onClose, children, isWide = false, staysOpen = false }: Props) {
  return (
    <Base.Root open onOpenChange={(open) => !open && onClose()} disablePointerDismissal={staysOpen}>
      <Base.Portal>
        <Base.Backdrop className={css.backdrop} />
        <Base.Popup className={classNames(css.popup, isWide && css.wide)}>
          <div className={css.head}>
            <Base.Title className={css.title}>{title}</Base.Title>
            <Base.Close
              render={
                <IconButton label="Close">
                  <CrossIcon />
                </IconButton>
              }
            />
          </div>
          {description !== undefined && (
            <Base.Description render={<div />} className={css.description}>
              {description}
            </Base.Description>
          )}
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
