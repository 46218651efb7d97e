// The six digits of an authenticator app. Apps show them in two groups, so spaces may be typed.
import { TextField } from '#ui/form/field.tsx';
import type { Values } from '#ui/form/form.tsx';

export const CodeField = ({ help }: { help: string }) => (
  <TextField
    name="code"
    label="Code"
    help={help}
    autoFocus
    inputMode="numeric"
    autoComplete="one-time-code"
    pattern=" *[0-9]{3} *[0-9]{3} *"
    title="Six digits"
    required
    isCode
  />
);

export const codeIn = (values: Values): string => values.text('code').replaceAll(' ', '');
