// A box that says something about the whole page or form.
import type { ReactNode } from 'react';
import type { Tone } from '#api/toasts.ts';
import { classNames } from '../class-names.ts';
import tones from '../tones.module.css';
import css from './feedback.module.css';

/** A `bad` one is read aloud at once. */
export function Banner({ tone, title, children }: { tone: Tone; title?: string; children?: ReactNode }) {
  return (
    <div className={classNames(css.banner, tones[tone])} role={tone === 'bad' ? 'alert' : 'status'}>
      {title !== undefined && <p className={css.title}>{title}</p>}
      {children}
    </div>
  );
}
