// Forms with text that is not saved yet. When the session ends, the text is kept in this tab and filled in
// again after the sign-in.
// Nothing is kept for somebody else, and no secret: no password, no code, no header, no file.
import { attempt } from '#api/attempt.ts';

const prefix = 'concord.draft.';
const maxLength = 100_000;
const maxDrafts = 10;

type Draft = readonly (readonly [name: string, value: string])[];
export type Unsaved = {
  readonly form: HTMLFormElement;
  readonly name: string;
  isChanged: boolean;
  isBusy: boolean;
};

const shown = new Set<Unsaved>();
let owner = '';

/** A form that is on the screen. Call the answer when it is gone. */
export function watchForm(one: Unsaved): () => void {
  shown.add(one);
  return () => shown.delete(one);
}

/** Whether leaving the page loses something. A form that is being sent leaves by itself. */
export const hasUnsaved = (): boolean => [...shown].some(({ isChanged, isBusy }) => isChanged && !isBusy);

/** A field whose text may be stored. */
export const isKept = (field: unknown): boolean =>
  field instanceof HTMLTextAreaElement ||
  field instanceof HTMLSelectElement ||
  field instanceof HTMLInputElement
    ? !/password|secret|private_key|token|header|captured|^(user_)?code$/i.test(field.name) &&
      !['password', 'file', 'hidden'].includes(field.type)
    : false;

const fieldsOf = (form: HTMLFormElement) =>
  [...form.elements].filter((field) => isKept(field)) as (
    | HTMLInputElement
    | HTMLTextAreaElement
    | HTMLSelectElement
  )[];
const isChoice = (field: Element): field is HTMLInputElement =>
  field instanceof HTMLInputElement && (field.type === 'checkbox' || field.type === 'radio');

const keyOf = (name: string): string => `${prefix}${owner} ${window.location.pathname} ${name}`;
const draftKeys = (): string[] => Object.keys(sessionStorage).filter((key) => key.startsWith(prefix));

/** The person who is signed in. What somebody else typed is deleted. */
export function ownDrafts(userId: string): void {
  owner = userId;
  attempt(() => {
    for (const key of draftKeys()) if (!key.startsWith(`${prefix}${owner} `)) sessionStorage.removeItem(key);
  });
}

/** The session has ended: keeps what is typed. From then on leaving loses nothing. */
export function keepDrafts(): void {
  for (const one of shown) {
    if (!one.isChanged) continue;
    one.isChanged = false;
    const draft: Draft = fieldsOf(one.form).flatMap((field) =>
      isChoice(field) && !field.checked ? [] : [[field.name, field.value] as const],
    );
    const text = JSON.stringify(draft);
    if (owner === '' || text.length > maxLength) continue;
    attempt(() => draftKeys().length < maxDrafts && sessionStorage.setItem(keyOf(one.name), text));
  }
}

/** Something is kept for forms that are not shown yet. */
export const hasDrafts = (): boolean => attempt(() => draftKeys().length > 0) ?? false;

export const dropDrafts = (): unknown =>
  attempt(() => {
    for (const key of draftKeys()) sessionStorage.removeItem(key);
  });

/** Fills in what was kept for this form, once. True: there was something. */
export function restoreDraft({ form, name }: Unsaved): boolean {
  const text = owner === '' ? null : attempt(() => sessionStorage.getItem(keyOf(name)));
  if (text === null) return false;
  attempt(() => sessionStorage.removeItem(keyOf(name)));
  const draft = attempt(() => JSON.parse(text) as Draft) ?? [];
  for (const field of fieldsOf(form)) {
    const values = draft.filter(([one]) => one === field.name).map(([, value]) => value);
    if (isChoice(field)) {
      // A click and an event, so that React notices.
      if (!field.disabled && field.checked !== values.includes(field.value)) field.click();
    } else if (values[0] !== undefined && values[0] !== field.value) setValue(field, values[0]);
  }
  return draft.length > 0;
}

function setValue(field: HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement, value: string): void {
  const setter = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set;
  setter?.call(field, value);
  field.dispatchEvent(new Event(field instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }));
}
