// A block of code or of a message, with a button that copies it.
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
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a text that scrolls must be reachable by keyboard */}
      <pre tabIndex={0} data-tall={isTall || undefined}>
        <code>{text}</code>
      </pre>
    </figure>
  );
}
