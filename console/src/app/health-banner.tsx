// Says when Concord does not answer or asks for fewer requests, and goes on by itself.
import { getLiveness } from '@concord/client';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { client } from '../api/client.ts';
import { endWait, readHealth, subscribeToHealth } from '../api/health.ts';
import { queryClient } from '../api/query-client.ts';
import { Banner } from '../ui/feedback/banner.tsx';

const probeMs = 2_000;

export function HealthBanner() {
  const health = useSyncExternalStore(subscribeToHealth, readHealth);
  const [now, setNow] = useState(Date.now);
  const isWaiting = health.state === 'slow' && health.until > now;

  useEffect(() => {
    if (health.state !== 'unreachable') return;
    const timer = setInterval(() => {
      // The first answer changes the health, and everything on the page is read again.
      void getLiveness({ client }).then(
        () => queryClient.invalidateQueries(),
        () => {},
      );
    }, probeMs);
    return () => clearInterval(timer);
  }, [health]);
  const before = useRef(health.state);
  useEffect(() => {
    // What was read meanwhile has stopped its polling.
    if (before.current === 'slow' && health.state === 'ok') void queryClient.invalidateQueries();
    before.current = health.state;
    if (health.state !== 'slow') return;
    setNow(Date.now());
    const timer = setInterval(() => {
      setNow(Date.now());
      endWait();
    }, 1_000);
    return () => clearInterval(timer);
  }, [health]);

  if (health.state === 'unreachable')
    return (
      <Banner tone="warning">Concord does not answer. This page goes on by itself as soon as it does.</Banner>
    );
  if (isWaiting) {
    return (
      <Banner tone="warning">
        Concord asks for fewer requests. This page goes on in {Math.ceil((health.until - now) / 1_000)} s.
      </Banner>
    );
  }
  return null;
}
