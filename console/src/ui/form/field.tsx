// Fields: the label above, the help below, and the fault in its place.
import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
  useState,
} from 'react';
import { timeZone } from '#format/local-time.ts';
import { Button } from '../button.tsx';
import { classNames } from '../class-names.ts';
import css from './field.module.css';
import { pointerOf, useFormState } from './form.tsx';
import { type Options, toOptions } from './options.ts';

type Shared = {
  /**
   * The path of the member in the body, with dots: `billing_address.city`. A fault with its pointer is shown
   * here.
   */
  name: string;
  label: string;
  help?: ReactNode;
  /** In place of the fault of the answer. */
  fault?: string | undefined;
};
type ControlProps = {
  id: string;
  name: string;
  'aria-describedby'?: string;
  'aria-invalid'?: true;
  'data-warned'?: true;
};

/** Around a control of another kind. */
export function Field({
  name,
  label,
  help,
  fault,
  children,
}: Shared & { children: (control: ControlProps) => ReactNode }) {
  const id = useId();
  const { faults, warnings } = useFormState();
  const shown = fault ?? faults.get(pointerOf(name));
  const warning = shown === undefined ? warnings.get(pointerOf(name)) : undefined;
  const text = shown ?? warning ?? help;
  const below = text === undefined ? undefined : `${id}-below`;
  return (
    <div className={css.field}>
      <label htmlFor={id} className={css.label}>
        {label}
      </label>
      {children({
        id,
        name,
        ...(below !== undefined && { 'aria-describedby': below }),
        ...(shown !== undefined && { 'aria-invalid': true }),
        ...(warning !== undefined && { 'data-warned': true }),
      })}
      {below !== undefined && (
        <div
          id={below}
          className={shown !== undefined ? css.fault : warning !== undefined ? css.warning : css.help}
        >
          {text}
        </div>
      )}
    </div>
  );
}

type TextProps = Shared & Omit<InputHTMLAttributes<HTMLInputElement>, 'id' | 'name'> & { isCode?: boolean };
/** With it a browser takes no fifth digit of a year, which would be no time in RFC 3339. */
const lastMoment = '9999-12-31T23:59';

export function TextField({ name, label, help, fault, isCode, ...rest }: TextProps) {
  const isTime = rest.type === 'datetime-local';
  return (
    <Field name={name} label={isTime ? `${label} (${timeZone()})` : label} help={help} fault={fault}>
      {(control) => (
        <input
          max={isTime ? lastMoment : undefined}
          {...rest}
          {...control}
          className={classNames(css.control, isCode && css.code)}
        />
      )}
    </Field>
  );
}

/** `isNew`: the browser offers to make one. */
export function PasswordField({
  isNew = false,
  ...rest
}: Omit<TextProps, 'type' | 'autoComplete'> & { isNew?: boolean }) {
  const [isShown, setShown] = useState(false);
  const { name, label, help, fault, ...input } = rest;
  return (
    <Field name={name} label={label} help={help} fault={fault}>
      {(control) => (
        <span className={css.withButton}>
          <input
            {...input}
            {...control}
            type={isShown ? 'text' : 'password'}
            autoComplete={isNew ? 'new-password' : 'current-password'}
            autoCapitalize="none"
            spellCheck={false}
            maxLength={128}
            className={css.control}
          />
          <Button
            look="plain"
            aria-label={`${isShown ? 'Hide' : 'Show'} ${label.toLowerCase()}`}
            onClick={() => setShown(!isShown)}
          >
            {isShown ? 'Hide' : 'Show'}
          </Button>
        </span>
      )}
    </Field>
  );
}

type AreaProps = Shared &
  Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'id' | 'name'> & { isCode?: boolean };
export function TextArea({ name, label, help, fault, isCode, ...rest }: AreaProps) {
  return (
    <Field name={name} label={label} help={help} fault={fault}>
      {(control) => (
        <textarea
          rows={5}
          {...rest}
          {...control}
          className={classNames(css.control, css.area, isCode && css.code)}
        />
      )}
    </Field>
  );
}

type SelectProps = Shared &
  Omit<SelectHTMLAttributes<HTMLSelectElement>, 'id' | 'name'> & { options: Options };
export function SelectField({ name, label, help, fault, options, ...rest }: SelectProps) {
  return (
    <Field name={name} label={label} help={help} fault={fault}>
      {(control) => (
        <select {...rest} {...control} className={classNames(css.control, css.select)}>
          {toOptions(options).map(({ value, label: text }) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

type CheckProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'id' | 'type'> & {
  label: ReactNode;
  help?: ReactNode;
  kind?: 'checkbox' | 'radio';
};
export function CheckField({ label, help, kind = 'checkbox', ...rest }: CheckProps) {
  const id = useId();
  return (
    <div className={css.check}>
      <input
        {...rest}
        id={id}
        type={kind}
        {...(help !== undefined && { 'aria-describedby': `${id}-help` })}
      />
      <div>
        <label htmlFor={id}>{label}</label>
        {help !== undefined && (
          <div id={`${id}-help`} className={css.help}>
            {help}
          </div>
        )}
      </div>
    </div>
  );
}

export function FieldSet({
  legend,
  help,
  children,
}: {
  legend: string;
  help?: ReactNode;
  children: ReactNode;
}) {
  return (
    <fieldset className={css.fieldset}>
      <legend className={css.label}>{legend}</legend>
      {help !== undefined && <div className={css.help}>{help}</div>}
      {children}
    </fieldset>
  );
}
