// What is shown in the place of a page that does not exist, or that failed.
import { Link, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { readHealth, subscribeToHealth } from '../api/health.ts';
import { Button } from '../ui/button/button.tsx';
import { Problem, toError } from '../ui/feedback/problem.tsx';
import css from './frames.module.css';

export function Missing() {
  return (
    <main className={css.narrow}>
      <h1>This page does not exist</h1>
      <p>
        The address may be wrong, or the thing is gone. <Link to="/">Go to the start</Link>
      </p>
    </main>
  );
}

/** Tries again by itself as soon as Concord answers. */
export function Failed({ error, reset }: { error: unknown; reset: () => void }) {
  const router = useRouter();
  useEffect(() => {
    return subscribeToHealth(() => {
      if (readHealth().state === 'ok') void router.invalidate().then(reset);
    });
  }, [router, reset]);
  return (
    <main className={css.narrow}>
      <h1>This page could not be shown</h1>
      <Problem error={toError(error)} />
      <div>
        <Button onClick={() => void router.invalidate().then(reset)}>Try again</Button>
      </div>
    </main>
  );
}
