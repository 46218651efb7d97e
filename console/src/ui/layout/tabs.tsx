// Links between the parts of one thing. The current one is marked.
import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, ReactNode, Ref } from 'react';
import css from './tabs.module.css';

/** `label`: what the parts belong to. */
export const Tabs = ({ label, children }: { label: string; children: ReactNode }) => (
  <nav className={css.tabs} aria-label={label}>
    {children}
  </nav>
);

type Props = AnchorHTMLAttributes<HTMLAnchorElement> & { ref?: Ref<HTMLAnchorElement> };
export const Tab = createLink((props: Props) => <a {...props} className={css.tab} />);
