// Says when Concord does not answer, answers with errors, or asks for fewer requests, and goes on by itself.
import { getLiveness } from '@concord/client';
import type { Query } from '@tanstack/react-query';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { client } from '#api/client.ts';
import { endWait, useHealth, useLate } from '#api/health.ts';
import { isUnanswered } from '#api/lost-answers.ts';
import { queryClient } from '#api/query-client.ts';
import { Banner } from '#ui/feedback/feedback.tsx';

const probeMs = 2_000;
/** A connection that was cut gives no answer. Another one can. */
const probeTimeoutMs = 5_000;
const rereadMs = 10_000;

/** It is shown, and could not be read again: `Loaded` keeps it. */
const isOld = (query: Query): boolean =>
  query.isActive() && query.state.data !== undefined && isUnanswered(query.state.error);
const isStale = (): boolean => queryClient.getQueryCache().getAll().some(isOld);
const subscribeToReads = (listener: () => void) => queryClient.getQueryCache().subscribe(listener);

export function HealthBanner() {
  const health = useHealth();
  const [now, setNow] = useState(Date.now);
  const isLate = useLate() > 0;
  const showsOld = useSyncExternalStore(subscribeToReads, isStale);
  const isWaiting = health.state === 'slow' && health.until > now;

  useEffect(() => {
    if (health.state !== 'unreachable') return;
    // The first answer changes the health.
    let isAsking = false;
    const timer = setInterval(() => {
      if (isAsking) return;
      isAsking = true;
      const done = () => {
        isAsking = false;
      };
      void getLiveness({ client, signal: AbortSignal.timeout(probeTimeoutMs) }).then(done, done);
    }, probeMs);
    return () => clearInterval(timer);
  }, [health]);
  useEffect(() => {
    if (!showsOld || health.state !== 'ok') return;
    // Most pages do not read again by themselves.
    const timer = setInterval(
      () => void queryClient.refetchQueries({ predicate: isOld }, { cancelRefetch: false }),
      rereadMs,
    );
    return () => clearInterval(timer);
  }, [showsOld, health]);
  const isBehind = useRef(false);
  const readAt = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    // What was read meanwhile has failed, or stopped its polling.
    if (health.state !== 'ok') isBehind.current = true;
    if (health.state !== 'ok' || !isBehind.current) return;
    // Something on the way can block one read for good: it fails among others that succeed.
    const timer = setTimeout(
      () => {
        isBehind.current = false;
        readAt.current = performance.now();
        void queryClient.invalidateQueries();
      },
      readAt.current + rereadMs - performance.now(),
    );
    return () => clearTimeout(timer);
  }, [health]);
  useEffect(() => {
    if (health.state !== 'slow') return;
    setNow(Date.now());
    const timer = setInterval(() => {
      setNow(Date.now());
      endWait();
    }, 1_000);
    return () => clearInterval(timer);
  }, [health]);

  const text =
    health.state === 'unreachable'
      ? 'Concord does not answer. This page goes on by itself as soon as it does.'
      : isWaiting
        ? `Too many requests at once. This page goes on in ${Math.ceil((health.until - now) / 1_000)} s.`
        : isLate
          ? 'Concord has not answered yet. This page goes on by itself as soon as it does.'
          : showsOld && 'Concord answers with errors, so this page can be out of date. It goes on by itself.';
  return text && <Banner tone="warning">{text}</Banner>;
}
