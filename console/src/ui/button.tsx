// Buttons, and links that look like one. At most one on a page is primary.
import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, ButtonHTMLAttributes, Ref } from 'react';
import css from './button.module.css';
import { classNames } from './class-names.ts';

type Look = 'primary' | 'secondary' | 'danger' | 'plain';

type Props = ButtonHTMLAttributes<HTMLButtonElement> & {
  look?: Look | undefined;
  /** The button waits, or has nothing to do: it stays focusable, and does nothing. */
  isBusy?: boolean;
  ref?: Ref<HTMLButtonElement>;
};

/** Says what it does: "Invite Ann", not "Submit". */
export function Button({
  look = 'secondary',
  isBusy = false,
  className,
  type = 'button',
  onClick,
  ...rest
}: Props) {
  return (
    <button
      {...rest}
      type={type}
      aria-disabled={isBusy || undefined}
      onClick={isBusy ? (event) => event.preventDefault() : onClick}
      className={classNames(css.button, css[look], className)}
    />
  );
}

type AnchorProps = AnchorHTMLAttributes<HTMLAnchorElement> & { look?: Look; ref?: Ref<HTMLAnchorElement> };
/** For links out of the console and to files. */
export function LinkButton({ look = 'secondary', ...rest }: AnchorProps) {
  return <a {...rest} className={classNames(css.button, css[look])} />;
}
/** For pages of the console. */
export const PageButton = createLink(LinkButton);

/** A button that is an icon. `label` is read aloud, and shown when the pointer rests on it. */
export function IconButton({ label, ...rest }: Omit<Props, 'look' | 'className'> & { label: string }) {
  return <Button {...rest} look="plain" aria-label={label} title={label} className={css.icon} />;
}
