// The browser's own modal dialog: the page behind it is inert, and Escape closes it.
import { type ReactNode, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import css from './dialog.module.css';

type Props = {
  /** The id of its title, or its name. */
  labelledBy?: string;
  label?: string;
  className: string | undefined;
  onClose: () => void;
  /** Stays when somebody clicks beside it: it has a form, or a secret that is shown once. */
  staysOpen?: boolean;
  children: ReactNode;
};

/** Render it while it is open. Then the focus goes back to where it was, or to the title if that is gone. */
export function Modal({ labelledBy, label, className, onClose, staysOpen = false, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  // While this renders, no field of the dialog has taken the focus yet.
  const [before] = useState(() => document.activeElement);
  useLayoutEffect(() => {
    const element = dialog.current;
    if (element === null) return;
    const wanted = element.contains(document.activeElement) ? document.activeElement : firstOf(element);
    element.showModal();
    if (wanted instanceof HTMLElement) wanted.focus();
    return () => {
      element.close();
      if (before instanceof HTMLElement) before.focus();
      // The button that opened it can go away with it.
      queueMicrotask(() => {
        if (document.activeElement !== document.body) return;
        document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
      });
    };
  }, [before]);
  const closeBeside = useEffectEvent(() => {
    if (!staysOpen) onClose();
  });
  useEffect(() => {
    const element = dialog.current;
    if (element === null) return;
    // The click counts and not the press, because closing at the press would leave the click to the page
    // below.
    let isPressedBeside = false;
    const press = ({ target }: Event) => {
      isPressedBeside = target === element;
    };
    const click = ({ target }: Event) => {
      if (isPressedBeside && target === element) closeBeside();
    };
    element.addEventListener('pointerdown', press);
    element.addEventListener('click', click);
    return () => {
      element.removeEventListener('pointerdown', press);
      element.removeEventListener('click', click);
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      className={css.modal}
      aria-label={label}
      aria-labelledby={labelledBy}
      onCancel={(event) => {
        event.preventDefault();
        event.stopPropagation();
        onClose();
      }}
    >
      <div className={className}>{children}</div>
    </dialog>
  );
}

/** The button that closes it comes first, and is what people want last. */
const firstOf = (element: HTMLElement): Element | null =>
  element.querySelector('input, select, textarea, a[href], button:not([data-close])');
