// The attempts of a delivery: on a line of time, and as a table from which one is chosen.
import type { DeliveryWithAttempts } from '@concord/client';
import { Link } from '@tanstack/react-router';
import { formatMs } from '#format/numbers.ts';
import { formatDuration } from '#format/time.ts';
import { attemptOutcome } from '#messages/webhooks.ts';
import { Stack } from '#ui/layout/page.tsx';
import { Scroll } from '#ui/layout/scroll.tsx';
import { Faint, Status, Time } from '#ui/text/text.tsx';
import css from './inspector.module.css';

type Props = { delivery: DeliveryWithAttempts; chosen: number | undefined };

export function Attempts({ delivery, chosen }: Props) {
  const { attempts, created_at, next_attempt_at } = delivery;
  if (attempts.length === 0) return <Faint>No attempt has ended yet.</Faint>;
  const from = Date.parse(created_at);
  return (
    <Stack>
      <TimeLine delivery={delivery} chosen={chosen} />
      <Scroll label="Attempts" className={css.attempts}>
        <table>
          <thead>
            <tr>
              <th scope="col">Attempt</th>
              <th scope="col">Outcome</th>
              <th scope="col">Took</th>
              <th scope="col">After</th>
            </tr>
          </thead>
          <tbody>
            {attempts.map((attempt) => {
              const { tone, label } = attemptOutcome(attempt);
              const isChosen = attempt.number === chosen;
              return (
                <tr key={attempt.number} data-chosen={isChosen || undefined}>
                  <th scope="row">
                    <Link
                      to="."
                      search={{ attempt: String(attempt.number) }}
                      replace
                      resetScroll={false}
                      aria-current={isChosen || undefined}
                      aria-label={`Attempt ${attempt.number}`}
                    >
                      {attempt.number}
                    </Link>
                  </th>
                  <td>
                    <Status tone={tone}>{attempt.status_code ?? label}</Status>
                  </td>
                  <td>{formatMs(attempt.duration_ms)}</td>
                  <td>{formatDuration(Math.max(0, Date.parse(attempt.started_at) - from) / 1_000)}</td>
                </tr>
              );
            })}
            {next_attempt_at !== null && (
              <tr>
                <th scope="row">
                  <Faint>{attempts.length + 1}</Faint>
                </th>
                <td colSpan={3}>
                  <Faint>
                    Due <Time at={next_attempt_at} />
                  </Faint>
                </td>
              </tr>
            )}
          </tbody>
        </table>
      </Scroll>
    </Stack>
  );
}

const marks = [
  [1, '1 s'],
  [60, '1 min'],
  [3_600, '1 h'],
  [86_400, '1 day'],
  [2_592_000, '30 days'],
] as const;

/** The delays grow, so the line is logarithmic: the first seconds are as wide as the last day. */
function TimeLine({ delivery, chosen }: Props) {
  const { attempts, created_at, next_attempt_at } = delivery;
  const after = (time: string) => Math.max(0, (Date.parse(time) - Date.parse(created_at)) / 1_000);
  const last = Math.max(
    1,
    ...attempts.map(({ started_at }) => after(started_at)),
    next_attempt_at === null ? 0 : after(next_attempt_at),
  );
  const place = (seconds: number) => `${2 + (95 * Math.log1p(seconds)) / Math.log1p(last * 1.2)}%`;
  return (
    <svg
      className={css.line}
      role="img"
      aria-label="The attempts on a line of time. The table below says the same."
    >
      <line x1="0" x2="100%" y1="14" y2="14" />
      {marks
        .filter(([seconds]) => seconds <= last)
        .map(([seconds, label]) => (
          <g key={label}>
            <line x1={place(seconds)} x2={place(seconds)} y1="10" y2="18" />
            <text x={place(seconds)} y="34" textAnchor="middle">
              {label}
            </text>
          </g>
        ))}
      {attempts.map((attempt) => (
        <circle
          key={attempt.number}
          className={css[attemptOutcome(attempt).tone]}
          cx={place(after(attempt.started_at))}
          cy="14"
          r={attempt.number === chosen ? 7 : 5}
        />
      ))}
      {next_attempt_at !== null && (
        <circle className={css.next} cx={place(after(next_attempt_at))} cy="14" r="5" />
      )}
    </svg>
  );
}
