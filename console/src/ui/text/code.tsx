// A block of code or of a message, with a button that copies it.
import { useMemo } from 'react';
import { Scroll } from '../layout/scroll.tsx';
import { CopyButton } from './copy-button.tsx';
import { type JsonToken, tokenize } from './json-tokens.ts';
import css from './text.module.css';

type Props = { text: string; label: string; isTall?: boolean; isJson?: boolean };
/** `label`: what it is, shown above. `isJson`: with colours. Long lines wrap. */
export function Code({ text, label, isTall = false, isJson = false }: Props) {
  return (
    <figure className={css.code}>
      <figcaption>
        <span>{label}</span>
        <CopyButton text={text} label={`Copy: ${label}`} />
      </figcaption>
      <Scroll label={label} className={isTall ? undefined : css.low}>
        <pre>
          <code>{isJson ? <Coloured text={text} /> : text}</code>
        </pre>
      </Scroll>
    </figure>
  );
}

const classes: Readonly<Record<JsonToken['kind'], string | undefined>> = {
  name: css.jsonName,
  text: css.jsonText,
  number: css.jsonNumber,
  word: css.jsonWord,
  other: undefined,
};

function Coloured({ text }: { text: string }) {
  const tokens = useMemo(() => tokenize(text), [text]);
  return tokens.map(({ at, text: part, kind }) =>
    kind === 'other' ? (
      part
    ) : (
      <span key={at} className={classes[kind]}>
        {part}
      </span>
    ),
  );
}
