// The last replay of this partner, and how far it is.
import { listReplays, type Replay } from '@concord/client';
import { useRead } from '../../../api/read.ts';
import { formatNumber } from '../../../format/numbers.ts';
import { Banner } from '../../../ui/feedback/banner.tsx';
import { Time } from '../../../ui/text/text.tsx';
import { toFilterTexts } from './filter-facts.tsx';

/** Shown while it runs, and for an hour after that. */
const shownMs = 3_600_000;

export function Replays({ partner }: { partner: string }) {
  const query = useRead(
    listReplays,
    { path: { id: partner }, query: { page_size: 1, sort_by: 'id', sort_dir: 'desc' } },
    { live: true, until: ([job]) => job?.status !== 'running' },
  );
  const last = query.data?.data[0];
  if (last === undefined || !isRecent(last)) return null;
  const filters = toFilterTexts(last.filter).map(({ name, text }) => `${name}: ${text}`);
  const counts = `${formatNumber(last.replayed)} sent again, ${formatNumber(last.skipped)} skipped, ${formatNumber(last.examined)} looked at`;
  return (
    <Banner
      tone={last.status === 'running' ? 'info' : 'good'}
      title={last.status === 'running' ? 'A replay is running' : 'The replay is done'}
    >
      <p>{counts}</p>
      <p>
        {filters.join(' · ')}, started <Time at={last.created_at} />
      </p>
    </Banner>
  );
}

const isRecent = ({ status, completed_at }: Replay): boolean =>
  status === 'running' || (completed_at !== null && Date.now() - Date.parse(completed_at) < shownMs);
