// The steps of the setup, and where it stands. That is in the URL, so that a reload and the back button work.
import { useNavigate, useSearch } from '@tanstack/react-router';

export const steps = [
  { id: 'password', name: 'Password' },
  { id: 'factor', name: 'Second factor' },
  { id: 'mail', name: 'Mail' },
  { id: 'partner', name: 'First partner' },
  { id: 'endpoint', name: 'First endpoint' },
  { id: 'test', name: 'Test event' },
] as const;
export type Step = (typeof steps)[number]['id'];

/** What the steps made: a mail, and the ids of the partner, the endpoint and the event. */
export type Made = Readonly<Record<string, string | undefined>>;

const isStep = (text: string | undefined): text is Exclude<Step, 'password'> =>
  text !== 'password' && steps.some(({ id }) => id === text);

export function useProgress() {
  const { step, ...made } = useSearch({ strict: false });
  const navigate = useNavigate();
  return {
    made,
    step: isStep(step) ? step : 'factor',
    /** To the step, with what the steps before it made. */
    to: (next: Step, more: Made = {}) =>
      void navigate({ to: '/setup', search: { ...made, ...more, step: next } }),
  } as const;
}
