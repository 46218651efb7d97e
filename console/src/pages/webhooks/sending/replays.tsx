// The replays and send-nows of this partner that are running, and the last one that has ended, until its note is
// closed. Those who may send can stop them.
import { type Replay, stopReplay } from '@concord/client';
import { useState } from 'react';
import { useWrite } from '#api/write.ts';
import { useAccess } from '#app/session.ts';
import { formatCount, formatNumber } from '#format/numbers.ts';
import { Button } from '#ui/button.tsx';
import { Banner } from '#ui/feedback/feedback.tsx';
import { Row } from '#ui/layout/page.tsx';
import { Time } from '#ui/text/text.tsx';
import { toFilterTexts } from '../deliveries/filter-facts.tsx';
import css from '../shared/shared.module.css';
import { isRunning, useJobs, useReadAgainAtEnd } from './jobs.ts';

/** Shown while it runs, and for an hour after that. */
const shownMs = 3_600_000;
/** In this browser: the last replay whose note was closed. */
const closedKey = 'concord.closed-replay';

type Props = {
  urlOf: (endpoint: string) => string | undefined;
  /** Only those that name this endpoint. */
  endpoint?: string;
};

export function Replays({ urlOf, endpoint }: Props) {
  const [closed, setClosed] = useState(() => localStorage.getItem(closedKey) ?? '');
  const all = useJobs();
  useReadAgainAtEnd(all.some(isRunning));
  const jobs = all.filter(({ filter }) => endpoint === undefined || filter.endpoint_id === endpoint);
  const ended = jobs.find((job) => !isRunning(job));
  const shown = jobs.filter((job) => isRunning(job) || (job === ended && job.id > closed && isRecent(job)));
  function close(id: string) {
    localStorage.setItem(closedKey, id);
    setClosed(id);
  }
  return shown.map((job) => <Note key={job.id} job={job} urlOf={urlOf} onClose={() => close(job.id)} />);
}

const isRecent = ({ completed_at }: Replay): boolean =>
  completed_at !== null && Date.now() - Date.parse(completed_at) < shownMs;

const titles: Readonly<Record<Replay['action'], Readonly<Record<Replay['status'], string>>>> = {
  replay: {
    running: 'A replay is running',
    completed: 'The replay is done',
    stopped: 'The replay was stopped',
  },
  send_now: {
    running: 'Sending pending deliveries',
    completed: 'Pending deliveries are on their way',
    stopped: 'Sending now was stopped',
  },
};

type NoteProps = Pick<Props, 'urlOf'> & { job: Replay; onClose: () => void };

function Note({ job, urlOf, onClose }: NoteProps) {
  const { can, partner } = useAccess();
  const { run, isRunning: isStopping } = useWrite();
  const { id, action, status, total, replayed, skipped, filtered, filter } = job;
  const runs = isRunning(job);
  // Retries that came in time, and new rounds of others.
  const others = (total ?? 0) - replayed - skipped;
  const filters = toFilterTexts(filter, urlOf).map(({ name, text }) => `${name}: ${text}`);
  const chosen =
    filter.delivery_ids &&
    formatCount(filter.delivery_ids.length, 'selected delivery', 'selected deliveries');
  const stop = () =>
    run(
      stopReplay,
      { path: { id: partner, replay_id: id } },
      { done: 'Stopped. The remaining deliveries are unchanged.' },
    );
  return (
    <Banner tone={runs ? 'info' : status === 'stopped' ? 'warning' : 'good'} title={titles[action][status]}>
      <Row>
        {runs && total !== null && (
          <span className={css.progress}>
            <progress value={replayed + skipped} max={Math.max(1, total)} aria-label="Deliveries" />
            <span>
              {formatNumber(replayed + skipped)} of {formatNumber(total)}
            </span>
          </span>
        )}
        <span>
          {formatNumber(replayed)} {action === 'replay' ? 'sent again' : 'on their way'},{' '}
          {formatNumber(skipped)} left as they are
          {!runs && total !== null && `, of ${formatNumber(total)} that matched`}
          {status === 'completed' && others > 0 && `; ${formatNumber(others)} had been sent before`}
          {filtered !== null &&
            filtered > 0 &&
            `; ${formatNumber(filtered)} were filtered out, and never sent`}
        </span>
      </Row>
      <p>
        {[...(chosen ? [chosen] : []), ...filters].join(' · ')}, started <Time at={job.created_at} />
      </p>
      <Row>
        {!runs ? (
          <Button look="plain" onClick={onClose}>
            Close
          </Button>
        ) : (
          can('deliveries', 'post') && (
            <Button isBusy={isStopping} onClick={() => void stop()}>
              Stop
            </Button>
          )
        )}
      </Row>
    </Banner>
  );
}
