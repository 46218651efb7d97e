// A part of a page that takes the place of another without a navigation: a step, or what follows a sign-in.
import { type ReactNode, useEffect, useRef } from 'react';
import css from './layout.module.css';

type Props = {
  /** Read aloud when the part gets the focus. */
  label: string;
  /** It is not the first part that this page shows. */
  isLater: boolean;
  children: ReactNode;
};

/**
 * Give it a `key` that differs from the part before. The later one gets the focus, so that Tab goes on in it.
 */
export function Part({ label, isLater, children }: Props) {
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    // A field of the part that took the focus keeps it.
    if (isLater && !box.current?.contains(document.activeElement))
      box.current?.focus({ preventScroll: true });
  }, [isLater]);
  return (
    <section ref={box} aria-label={label} tabIndex={-1} className={css.stack}>
      {children}
    </section>
  );
}
