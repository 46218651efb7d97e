// Search: partners, people, endpoints, events and deliveries. Ctrl-K opens it from everywhere.
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { SearchIcon } from '#ui/icons.tsx';
import css from './shell.module.css';

const SearchDialog = lazy(async () => ({ default: (await import('./search-dialog.tsx')).SearchDialog }));

export function SearchButton({ isSmall = false }: { isSmall?: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      if (event.key !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      // A page has several of these buttons. A hidden one would show its dialog as little as itself.
      if (event.defaultPrevented || !button.current?.checkVisibility()) return;
      event.preventDefault();
      setOpen(true);
    };
    window.addEventListener('keydown', open);
    return () => window.removeEventListener('keydown', open);
  }, []);
  return (
    <>
      <button
        ref={button}
        type="button"
        className={isSmall ? css.searchSmall : css.search}
        aria-label={isSmall ? 'Search' : undefined}
        onClick={() => setOpen(true)}
      >
        <SearchIcon />
        {!isSmall && (
          <>
            <span>Search</span>
            <kbd>Ctrl K</kbd>
          </>
        )}
      </button>
      {isOpen && (
        <Suspense>
          <SearchDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
