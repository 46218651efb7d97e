// Where toasts appear: below, above everything, read aloud.
import { useEffect } from 'react';
import { dismissToast, useToast } from '#api/toasts.ts';
import { IconButton } from './button.tsx';
import { classNames } from './class-names.ts';
import { CrossIcon } from './icons.tsx';
import css from './toast-area.module.css';
import tones from './tones.module.css';

/** A failure stays until it is dismissed. */
const shownMs = 6_000;

export function ToastArea() {
  const shown = useToast();
  useEffect(() => {
    if (shown === null || shown.tone === 'bad') return;
    const timer = setTimeout(dismissToast, shownMs);
    return () => clearTimeout(timer);
  }, [shown]);
  return (
    <div className={css.area} role="status">
      {shown && (
        <div key={shown.number} className={classNames(css.toast, tones[shown.tone])}>
          <p>
            {shown.text}
            {shown.requestId && (
              <>
                {' '}
                Request <code>{shown.requestId}</code>
              </>
            )}
          </p>
          <IconButton label="Dismiss" onClick={dismissToast}>
            <CrossIcon />
          </IconButton>
        </div>
      )}
    </div>
  );
}
