// A form that sends its values once, and shows each fault of the answer at its field.
import { ConcordError } from '@concord/client';
import { createContext, type FormEvent, type ReactNode, useContext, useRef, useState } from 'react';
import { Button } from '../button/button.tsx';
import { Problem } from '../feedback/problem.tsx';
import css from './form.module.css';

type FormState = { readonly faults: ReadonlyMap<string, string>; readonly isBusy: boolean };
const FormContext = createContext<FormState>({ faults: new Map(), isBusy: false });
export const useFormState = (): FormState => useContext(FormContext);

type Props = {
  /** Throws what the operation throws. */
  onSubmit: (values: Values) => Promise<unknown>;
  children: ReactNode;
  /** Says what it does: "Save the partner". */
  submit: string;
  look?: 'primary' | 'secondary' | 'danger';
  /** Beside the button, for example one that cancels. */
  beside?: ReactNode;
  /** What to say instead of the message of this code. */
  explain?: Readonly<Record<string, string>>;
  /** The whole width, for forms that are more than a column of fields. */
  isWide?: boolean;
  /** Nothing can be done with these values. The form says why. */
  isDisabled?: boolean;
  /** Called when the person changes a field. */
  onEdit?: () => void;
};

/** The values of the form by the names of its fields. */
export type Values = {
  text(name: string): string;
  /** Null: left empty. */
  optional(name: string): string | null;
  isChecked(name: string): boolean;
  all(name: string): string[];
};

const readValues = (data: FormData): Values => {
  const text = (name: string) => String(data.get(name) ?? '');
  return {
    text,
    optional: (name) => text(name).trim() || null,
    isChecked: (name) => data.has(name),
    all: (name) => data.getAll(name).map(String),
  };
};

export function Form({
  onSubmit,
  children,
  submit,
  look = 'primary',
  beside,
  explain,
  isWide = false,
  isDisabled = false,
  onEdit,
}: Props) {
  const form = useRef<HTMLFormElement>(null);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<ConcordError | null>(null);
  const faults = new Map(failure?.faults.map(({ pointer, message }) => [pointer, message]));
  const isShownAtFields =
    failure !== null && failure.faults.length > 0 && failure.faults.every(({ pointer }) => hasField(form.current, pointer));

  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    try {
      await onSubmit(readValues(new FormData(event.currentTarget)));
      setFailure(null);
    } catch (error) {
      if (!(error instanceof ConcordError)) throw error;
      setFailure(error);
      const first = error.faults[0];
      // After the fault is on the screen, so that it is read with the field.
      if (first) requestAnimationFrame(() => fieldOf(form.current, first.pointer)?.focus());
    } finally {
      setBusy(false);
    }
  }

  return (
    <FormContext value={{ faults, isBusy }}>
      <form
        ref={form}
        className={isWide ? css.wide : css.form}
        onSubmit={(event) => void send(event)}
        onChange={onEdit}
        autoComplete="off"
      >
        {children}
        {failure && !isShownAtFields && <Problem error={failure} explain={explain} />}
        <div className={css.actions}>
          <Button type="submit" look={look} isBusy={isBusy} disabled={isDisabled}>
            {submit}
          </Button>
          {beside}
        </div>
      </form>
    </FormContext>
  );
}

/** A pointer into the body, `/billing_address/city`, is the name of the field with dots: `billing_address.city`. */
export const pointerOf = (name: string): string => `/${name.replaceAll('.', '/')}`;
/** A field for JSON, `data-json`, shows the faults of everything in it. */
function fieldOf(form: HTMLFormElement | null, pointer: string): HTMLElement | null {
  const [, member = ''] = pointer.split('/');
  const field = form?.elements.namedItem(pointer.slice(1).replaceAll('/', '.'));
  if (field instanceof HTMLElement) return field;
  const whole = form?.elements.namedItem(member);
  return whole instanceof HTMLElement && whole.dataset.json !== undefined ? whole : null;
}
const hasField = (form: HTMLFormElement | null, pointer: string): boolean => fieldOf(form, pointer) !== null;
