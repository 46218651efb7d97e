// The frame of a page: its title, one line that says what it is for, at most one primary button, and
// sections.
import { type ReactNode, useEffect, useRef } from 'react';
import css from './layout.module.css';

type PageProps = {
  title: string;
  /** In the title of the browser, when the page shows more there: "orders.nordlys.example – Endpoint". */
  documentTitle?: string;
  /** One line: what the page is for. */
  about?: ReactNode;
  /** Above the title: links to where this belongs. */
  above?: ReactNode;
  /** Beside the title: a state. */
  beside?: ReactNode;
  action?: ReactNode;
  children: ReactNode;
};

export function Page({ title, documentTitle, about, above, beside, action, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${documentTitle ?? title} – Concord`;
  }, [title, documentTitle]);
  // A new page is read from its title, and Tab goes on from there. A field that has the focus keeps it.
  useEffect(() => {
    const { activeElement } = document;
    if (!(activeElement instanceof HTMLInputElement)) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <div className={css.page}>
      <header className={css.head}>
        <div className={css.titles}>
          {above !== undefined && <div className={css.above}>{above}</div>}
          <div className={css.title}>
            <h1 ref={heading} tabIndex={-1}>
              {title}
            </h1>
            {beside}
          </div>
          {about !== undefined && <p className={css.about}>{about}</p>}
        </div>
        {action !== undefined && <div className={css.actions}>{action}</div>}
      </header>
      {children}
    </div>
  );
}

type SectionProps = { title: string; about?: ReactNode; action?: ReactNode; children: ReactNode };
export function Section({ title, about, action, children }: SectionProps) {
  return (
    <section className={css.section}>
      <div className={css.head}>
        <div className={css.titles}>
          <h2>{title}</h2>
          {about !== undefined && <p className={css.about}>{about}</p>}
        </div>
        {action !== undefined && <div className={css.actions}>{action}</div>}
      </div>
      {children}
    </section>
  );
}

/** Side by side where there is room. */
export const Columns = ({ children }: { children: ReactNode }) => (
  <div className={css.columns}>{children}</div>
);
/** Below one another, with space between. */
export const Stack = ({ children }: { children: ReactNode }) => <div className={css.stack}>{children}</div>;
/** In one line that wraps. */
export const Row = ({ children }: { children: ReactNode }) => <div className={css.row}>{children}</div>;

/** Numbers that matter, each with its name. */
export const Tiles = ({ children }: { children: ReactNode }) => <dl className={css.tiles}>{children}</dl>;
export function Tile({ name, children, about }: { name: string; children: ReactNode; about?: ReactNode }) {
  return (
    <div className={css.tile}>
      <dt>{name}</dt>
      <dd>{children}</dd>
      {about && <dd className={css.tileAbout}>{about}</dd>}
    </div>
  );
}
