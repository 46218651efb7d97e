// A region that scrolls by itself. It takes the focus, so that the keyboard can scroll it.
import type { ReactNode } from 'react';
import { classNames } from '../class-names.ts';
import css from './scroll.module.css';

type Props = {
  label: string;
  className?: string | undefined;
  children: ReactNode;
};

export function Scroll({ label, className, children }: Props) {
  return (
    <section className={classNames(css.scroll, className)} aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
