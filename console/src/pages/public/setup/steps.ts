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

export type Made = {
  readonly mail?: 'sent';
  readonly partner?: string;
  readonly endpoint?: string;
  readonly event?: string;
};
type Progress = {
  readonly made: Made;
  readonly step: Exclude<Step, 'password'>;
  /** To the step, with what the steps before it made. */
  to(step: Step, made?: Made): void;
};

const isStep = (text: string | undefined): text is Exclude<Step, 'password'> =>
  text !== 'password' && steps.some(({ id }) => id === text);

export function useProgress(): Progress {
  const { step, mail, partner, endpoint, event } = useSearch({ strict: false }) as Made & { step?: string };
  const navigate = useNavigate();
  const made = {
    ...(mail && { mail }),
    ...(partner && { partner }),
    ...(endpoint && { endpoint }),
    ...(event && { event }),
  };
  return {
    made,
    step: isStep(step) ? step : 'factor',
    to: (next, more = {}) =>
      void navigate({ to: '/setup', search: { ...made, ...more, step: next } as never }),
  };
}
