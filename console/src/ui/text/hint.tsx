// Says more about a text when the pointer rests on it or the keyboard reaches it (WCAG 2.2, 1.4.13).
import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react';
import { place } from '../place.ts';
import css from './text.module.css';

export function Hint({ text, children }: { text: ReactNode; children: ReactNode }) {
  const id = useId();
  const trigger = useRef<HTMLButtonElement>(null);
  const tip = useRef<HTMLSpanElement>(null);

  function show() {
    if (trigger.current === null || tip.current === null) return;
    tip.current.showPopover();
    place(tip.current, trigger.current);
  }
  const hide = () => tip.current?.hidePopover();
  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Escape' || !tip.current?.matches(':popover-open')) return;
    // The dialog around it stays open.
    event.stopPropagation();
    hide();
  }

  return (
    // The pointer may rest on the hint too.
    <span className={css.hinted} onPointerEnter={show} onPointerLeave={hide}>
      <button
        ref={trigger}
        type="button"
        aria-describedby={id}
        onFocus={show}
        onBlur={hide}
        onKeyDown={onKeyDown}
      >
        {children}
      </button>
      <span ref={tip} id={id} role="tooltip" popover="manual" className={css.hint}>
        {text}
      </span>
    </span>
  );
}
