// For a form or a button that shows what went wrong beside it.
import { ConcordError } from '@concord/client';
import { useState } from 'react';

/** `run` runs a change, and keeps its refusal as `failure` until another one succeeds. */
export function useRun() {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<ConcordError | null>(null);
  async function run(change: () => Promise<unknown>): Promise<void> {
    setBusy(true);
    try {
      await change();
      setFailure(null);
    } catch (error) {
      if (!(error instanceof ConcordError)) throw error;
      setFailure(error);
    } finally {
      setBusy(false);
    }
  }
  return { isBusy, failure, run };
}
