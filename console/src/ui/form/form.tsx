// A form that sends its values once, and shows each fault of the answer at its field.
import { createContext, type FormEvent, type ReactNode, use, useEffect, useRef, useState } from 'react';
import { useRun } from '#api/run.ts';
import { Button } from '../button.tsx';
import { classNames } from '../class-names.ts';
import { InDialog } from '../dialog/in-dialog.ts';
import { Problem, Waiting } from '../feedback/feedback.tsx';
import css from './form.module.css';
import { isKept, restoreDraft, type Unsaved, watchForm } from './unsaved.ts';

type Messages = ReadonlyMap<string, string>;
type FormState = { readonly faults: Messages; readonly warnings: Messages; readonly isBusy: boolean };
const FormContext = createContext<FormState>({ faults: new Map(), warnings: new Map(), isBusy: false });
export const useFormState = (): FormState => use(FormContext);
/** Whether a field beside these has a fault. */
export const hasFaultBeside = ({ faults }: FormState, shown: readonly string[]): boolean =>
  [...faults.keys()].some((pointer) => !shown.includes(pointer.split('/', 2)[1] ?? ''));

type Props = {
  /** Throws what the operation throws. */
  onSubmit: (values: Values) => Promise<unknown>;
  children?: ReactNode;
  /** Says what it does: "Save the partner". */
  submit: string;
  look?: 'primary' | 'secondary' | 'danger';
  /** Beside the button, for example one that cancels. In a dialog it stands before the button. */
  beside?: ReactNode;
  /** What to say instead of the message of this code. */
  explain?: Readonly<Record<string, string>>;
  /** What is wrong before anything is sent. Each is shown at its field. */
  check?: (values: Values) => readonly Fault[];
  /**
   * What looks wrong, and can be saved all the same. Each is shown at its field, and the button then says
   * "Save anyway".
   */
  warn?: (values: Values) => readonly Fault[];
  /** The whole width, for forms that are more than a column of fields. */
  isWide?: boolean;
  /** Nothing can be done with these values. The form says why. */
  isDisabled?: boolean;
  onEdit?: () => void;
};

export type Fault = { readonly name: string; readonly message: string };

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

export function Form(props: Props) {
  const { onSubmit, check, warn, explain, onEdit } = props;
  const { children, submit, look = 'primary', beside, isWide, isDisabled } = props;
  const { form, isRestored, mark, sent } = useUnsaved(submit);
  const { isBusy, failure, run } = useRun();
  const [found, setFound] = useState<readonly Fault[]>([]);
  const [warned, setWarned] = useState<readonly Fault[]>([]);
  /** Nothing was changed since the warnings. */
  const [isWarned, setIsWarned] = useState(false);
  const isInDialog = use(InDialog);
  const faults = new Map([
    ...(failure?.faults.map(({ pointer, message }) => [pointer, message] as const) ?? []),
    ...found.map(({ name, message }) => [pointerOf(name), message] as const),
  ]);
  const warnings = new Map(warned.map(({ name, message }) => [pointerOf(name), message]));
  const isAtFields = failure?.faults[0] && failure.faults.every((one) => fieldOf(form.current, one.pointer));

  useEffect(() => {
    if (failure === null) return;
    const first = failure.faults[0];
    // The fault is on the screen now, and is read with the field.
    if (first) fieldOf(form.current, first.pointer)?.focus();
    // What is wrong stands above the button, and moves it out of a long dialog.
    else form.current?.lastElementChild?.scrollIntoView({ block: 'nearest' });
  }, [form, failure]);

  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (isBusy) return;
    const values = readValues(new FormData(event.currentTarget));
    const wrong = check?.(values) ?? [];
    setFound(wrong);
    const doubtful = wrong[0] || isWarned ? [] : (warn?.(values) ?? []);
    if (doubtful[0]) {
      setWarned(doubtful);
      setIsWarned(true);
    }
    const first = wrong[0] ?? doubtful[0];
    if (first) return focusSoon(form.current, first);
    mark({ isBusy: true });
    await run(async () => {
      await onSubmit(values);
      sent();
      setWarned([]);
      setIsWarned(false);
    }).finally(() => mark({ isBusy: false }));
  }

  return (
    <FormContext value={{ faults, warnings, isBusy }}>
      <form
        ref={form}
        className={isWide ? css.wide : css.form}
        onSubmit={(event) => void send(event)}
        onChange={({ target }) => {
          if (isKept(target)) mark({ isChanged: true });
          setIsWarned(false);
          onEdit?.();
        }}
        autoComplete="off"
      >
        {isRestored && <Restored />}
        {children}
        {failure && !isAtFields && <Problem error={failure} explain={explain} />}
        <div className={classNames(css.actions, isInDialog && css.inDialog)}>
          {isInDialog && isBusy && <Waiting />}
          {isInDialog && beside}
          <Button type="submit" look={look} isBusy={isBusy} disabled={isDisabled}>
            {isWarned ? 'Save anyway' : submit}
          </Button>
          {!isInDialog && beside}
          {!isInDialog && isBusy && <Waiting />}
        </div>
      </form>
    </FormContext>
  );
}

/** What is typed is watched until it is sent, and what was kept comes back. */
function useUnsaved(submit: string) {
  const form = useRef<HTMLFormElement>(null);
  const unsaved = useRef<Unsaved>(null);
  const [isRestored, setRestored] = useState(false);
  // The button can say something else later.
  const [name] = useState(submit);
  useEffect(() => {
    if (form.current === null) return;
    const watched: Unsaved = { form: form.current, name, isChanged: false, isBusy: false };
    unsaved.current = watched;
    const stop = watchForm(watched);
    if (restoreDraft(watched)) setRestored(true);
    return stop;
  }, [name]);
  const mark = (state: Partial<Unsaved>) => unsaved.current && Object.assign(unsaved.current, state);
  const sent = () => {
    mark({ isChanged: false });
    setRestored(false);
  };
  return { form, isRestored, mark, sent };
}

const Restored = () => (
  <p className={css.restored}>What you typed before you signed in again is here. It is not saved yet.</p>
);

/** After its message is on the screen, so that it is read with the field. */
function focusSoon(form: HTMLFormElement | null, { name }: Fault): void {
  requestAnimationFrame(() => fieldOf(form, pointerOf(name))?.focus());
}

/**
 * A pointer into the body, `/billing_address/city`, is the name of the field with dots:
 * `billing_address.city`.
 */
export const pointerOf = (name: string): string => `/${name.replaceAll('.', '/')}`;
/** A field for JSON, `data-json`, shows the faults of everything in it. */
function fieldOf(form: HTMLFormElement | null, pointer: string): HTMLElement | null {
  const [, member = ''] = pointer.split('/');
  const field = form?.elements.namedItem(pointer.slice(1).replaceAll('/', '.'));
  if (field instanceof HTMLElement) return field;
  const whole = form?.elements.namedItem(member);
  return whole instanceof HTMLElement && whole.dataset.json !== undefined ? whole : null;
}
