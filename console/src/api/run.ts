// For a form or a button that shows what went wrong beside it.
import { ConcordError } from '@concord/client';
import { useEffect, useRef, useState } from 'react';
import { errorText } from '#messages/errors.ts';
import { toast } from './toasts.ts';

/** The person closed the question, or reads it on the page of the sign-in. */
const quiet: ReadonlySet<string> = new Set(['step_up_required', 'sso_required', 'unauthenticated']);

/**
 * `run` runs a change, and keeps its refusal as `failure` until another one succeeds. If the form was closed
 * meanwhile, a toast says it.
 */
export function useRun() {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<ConcordError | null>(null);
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  async function run(change: () => Promise<unknown>): Promise<void> {
    setBusy(true);
    try {
      await change();
      setFailure(null);
    } catch (error) {
      if (!(error instanceof ConcordError)) throw error;
      setFailure(error);
      if (!isShown.current && !quiet.has(error.code))
        toast({ tone: 'bad', text: errorText(error), requestId: error.requestId });
    } finally {
      setBusy(false);
    }
  }
  return { isBusy, failure, run };
}
