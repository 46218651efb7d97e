// A region that scrolls by itself if its content is too large. Then it takes the focus, so that the keyboard can
// scroll it.
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { classNames } from '../class-names.ts';
import css from './scroll.module.css';

type Props = {
  label: string;
  className?: string | undefined;
  children: ReactNode;
};

/** Content that just fits can measure more. */
const roundingPx = 1;

export function Scroll({ label, className, children }: Props) {
  const box = useRef<HTMLElement>(null);
  const [scrolls, setScrolls] = useState(false);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const measure = () =>
      setScrolls(
        element.scrollWidth > element.clientWidth + roundingPx ||
          element.scrollHeight > element.clientHeight + roundingPx,
      );
    const resize = new ResizeObserver(measure);
    measure();
    for (const each of [element, ...element.children]) resize.observe(each);
    return () => resize.disconnect();
  }, []);
  return (
    <section
      ref={box}
      className={classNames(css.scroll, className)}
      aria-label={label}
      data-scrolls={scrolls || undefined}
      tabIndex={scrolls ? 0 : undefined}
    >
      {children}
    </section>
  );
}
