// A period, `<from>..<to>`, as two fields.
import { fromLocal, toLocal } from '#format/local-time.ts';
import { TextField } from './field.tsx';

type Props = {
  /** Empty: at any time. */
  period: string;
  onChange: (period: string) => void;
  labels: readonly [from: string, to: string];
};

export function PeriodFields({ period, onChange, labels }: Props) {
  const [from = '', to = ''] = period.split('..');
  const change = (next: readonly string[]) => onChange(next.some(Boolean) ? next.join('..') : '');
  return (
    <>
      <TextField
        name="from"
        label={labels[0]}
        type="datetime-local"
        value={toLocal(from)}
        onChange={({ target }) => change([fromLocal(target.value), to])}
      />
      <TextField
        name="to"
        label={labels[1]}
        type="datetime-local"
        value={toLocal(to)}
        onChange={({ target }) => change([from, fromLocal(target.value)])}
      />
    </>
  );
}
