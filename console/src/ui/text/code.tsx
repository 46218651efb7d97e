// A block of code or of a message, with a button that copies it.
import { Scroll } from '../layout/scroll.tsx';
import { CopyButton } from './copy-button.tsx';
import css from './text.module.css';

/** `label`: what it is, shown above. Long lines wrap. */
export function Code({ text, label, isTall = false }: { text: string; label: string; isTall?: boolean }) {
  return (
    <figure className={css.code}>
      <figcaption>
        <span>{label}</span>
        <CopyButton text={text} label={`Copy: ${label}`} />
      </figcaption>
      <Scroll label={label} className={isTall ? undefined : css.low}>
        <pre>
          <code>{text}</code>
        </pre>
      </Scroll>
    </figure>
  );
}
