// The actions of a row, in a menu at its end (ARIA Authoring Practices, menu button). The browser closes it
// on Escape and clicks elsewhere.
import { type KeyboardEvent, useId, useRef } from 'react';
import { IconButton } from './button.tsx';
import { MoreIcon } from './icons.tsx';
import { place } from './place.ts';
import css from './row-menu.module.css';

export type Action = {
  /** Says what it does: "Resend the invitation". */
  readonly label: string;
  readonly onSelect: () => void;
  readonly isDangerous?: boolean;
  /** Why it cannot be done now. The action stays, with the reason. */
  readonly disabledBecause?: string | undefined;
};

/** `of`: the thing, for those who hear the page: "Actions of Ann Lee". Without actions there is no menu. */
export function RowMenu({ of, actions }: { of: string; actions: readonly Action[] }) {
  const id = useId();
  const trigger = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  if (actions.length === 0) return null;

  const items = () => [...(menu.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];
  function open() {
    if (menu.current === null || trigger.current === null || menu.current.matches(':popover-open')) return;
    menu.current.showPopover();
    place(menu.current, trigger.current, 'end');
    items()[0]?.focus();
  }
  function close() {
    menu.current?.hidePopover();
    trigger.current?.focus();
  }
  function onKeyDown(event: KeyboardEvent) {
    const all = items();
    const at = all.indexOf(document.activeElement as HTMLElement);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1 + all.length, Home: 0, End: all.length - 1 }[event.key];
    if (next !== undefined) {
      event.preventDefault();
      all[next % all.length]?.focus();
    } else if (event.key === 'Tab') close();
    else if (event.key === 'Escape') {
      // The dialog around it stays open.
      event.stopPropagation();
      close();
    }
  }

  return (
    <>
      <IconButton
        ref={trigger}
        label={`Actions of ${of}`}
        aria-haspopup="menu"
        aria-controls={id}
        onClick={open}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          open();
        }}
      >
        <MoreIcon />
      </IconButton>
      <div
        ref={menu}
        id={id}
        popover="auto"
        role="menu"
        aria-label={`Actions of ${of}`}
        className={css.popup}
        onKeyDown={onKeyDown}
      >
        {actions.map(({ label, onSelect, isDangerous, disabledBecause }) => (
          <button
            key={label}
            type="button"
            role="menuitem"
            tabIndex={-1}
            aria-disabled={disabledBecause !== undefined || undefined}
            data-dangerous={isDangerous || undefined}
            className={css.item}
            onClick={() => {
              if (disabledBecause !== undefined) return;
              close();
              onSelect();
            }}
          >
            {label}
            {disabledBecause !== undefined && <span className={css.reason}>{disabledBecause}</span>}
          </button>
        ))}
      </div>
    </>
  );
}
