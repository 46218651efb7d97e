// A field for JSON: with line numbers, with the place of what is wrong, and with the faults of the API at
// their lines.
import { Field } from '#ui/form/field.tsx';
import { useFormState } from '#ui/form/form.tsx';
import css from './json-field.module.css';
import { findFault, lineOf } from './json-text.ts';

type Props = { name: string; label: string; help: string; value: string; onChange: (value: string) => void };

export function JsonField({ name, label, help, value, onChange }: Props) {
  const { faults } = useFormState();
  const lines = value.split('\n').length;
  const refused = [...faults]
    .filter(([pointer]) => pointer === `/${name}` || pointer.startsWith(`/${name}/`))
    .map(([pointer, message]) => {
      const line = lineOf(value, pointer.slice(name.length + 1));
      return line === null || pointer === `/${name}` ? message : `Line ${line}: ${message}`;
    });
  const more = refused.length > 1 ? ` There are ${refused.length - 1} more faults.` : '';
  const fault = findFault(value) ?? (refused[0] && `${refused[0]}.${more}`);
  return (
    <Field name={name} label={label} help={help} fault={fault}>
      {(control) => (
        <div className={css.editor} data-wrong={fault !== undefined || undefined}>
          <div className={css.numbers} aria-hidden="true">
            {Array.from({ length: lines }, (_, line) => `${line + 1}\n`).join('')}
          </div>
          <textarea
            {...control}
            data-json=""
            className={css.text}
            value={value}
            onChange={(event) => onChange(event.target.value)}
            rows={lines}
            wrap="off"
            spellCheck={false}
            autoCapitalize="none"
            autoComplete="off"
          />
        </div>
      )}
    </Field>
  );
}
