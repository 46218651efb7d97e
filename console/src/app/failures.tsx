// What is shown in the place of a page that does not exist, or that failed.
import { getLiveness } from '@concord/client';
import { Link, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { client } from '#api/client.ts';
import { readHealth, subscribeToHealth } from '#api/health.ts';
import { Button } from '#ui/button/button.tsx';
import { Problem, toError } from '#ui/feedback/problem.tsx';
import css from './frames.module.css';
import { HealthBanner } from './health-banner.tsx';
import { isMissingFile, reloadOnce } from './missing-files.ts';

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

/**
 * Goes on by itself as soon as Concord answers. A file that is missing needs a new page: the browser does not
 * ask for it again.
 */
export function Failed({ error, reset }: { error: unknown; reset: () => void }) {
  const router = useRouter();
  const isMissing = isMissingFile(error);
  useEffect(() => {
    const goOn = () => (isMissing ? reloadOnce() : void router.invalidate().then(reset));
    if (isMissing) void getLiveness({ client }).then(goOn, () => {});
    return subscribeToHealth(() => {
      if (readHealth().state === 'ok') goOn();
    });
  }, [router, reset, isMissing]);
  return (
    <main className={css.narrow}>
      <HealthBanner />
      <h1>This page could not be shown</h1>
      <Problem error={toError(error)} />
      <div>
        <Button onClick={() => (isMissing ? window.location.reload() : void router.invalidate().then(reset))}>
          {isMissing ? 'Reload' : 'Try again'}
        </Button>
      </div>
    </main>
  );
}
