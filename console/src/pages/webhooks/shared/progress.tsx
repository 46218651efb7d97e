// How far a job is.
import { formatNumber } from '#format/numbers.ts';
import css from './shared.module.css';

type Props = { done: number; of: number; label: string; isRunning: boolean };
export function Progress({ done, of, label, isRunning }: Props) {
  return (
    <span className={css.progress}>
      {isRunning && <progress value={done} max={Math.max(1, of)} aria-label={label} />}
      <span>
        {formatNumber(done)} of {formatNumber(of)}
      </span>
    </span>
  );
}
