// The last replays and send-nows of a partner. Everything that shows them shares one request.
import { listReplays, type Replay } from '@concord/client';
import { useEffect, useRef } from 'react';
import { useRead } from '#api/read.ts';
import { readAgain } from '#api/write.ts';
import { usePartner } from '#app/address.ts';

export const isRunning = ({ status }: Replay): boolean => status === 'running';

export function useJobs(isEnabled = true): readonly Replay[] {
  const partner = usePartner();
  const query = useRead(
    listReplays,
    { path: { id: partner }, query: { page_size: 10, sort_by: 'id', sort_dir: 'desc' } },
    { live: true, until: (jobs) => !jobs.some(isRunning), enabled: isEnabled },
  );
  return query.data?.data ?? [];
}

/** Reads the page again when what ran has ended: what it counted is no longer so. */
export function useReadAgainAtEnd(runs: boolean): void {
  const ran = useRef(false);
  useEffect(() => {
    if (ran.current && !runs) void readAgain();
    ran.current = runs;
  }, [runs]);
}
