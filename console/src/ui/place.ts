/**
 * Puts a popover below its trigger, or above where there is no room, and within the window. `end`: their
 * right edges meet.
 * Without a gap, so that the pointer can move from one to the other.
 */
export function place(popover: HTMLElement, trigger: HTMLElement, align: 'start' | 'end' = 'start'): void {
  const { left, right, top, bottom } = trigger.getBoundingClientRect();
  const { width, height } = popover.getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  const wanted = align === 'start' ? left : right - width;
  popover.style.left = `${Math.max(0, Math.min(wanted, clientWidth - width))}px`;
  popover.style.top = `${bottom + height <= clientHeight ? bottom : Math.max(0, top - height)}px`;
}
