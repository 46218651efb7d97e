// The frame of a matrix of resources and methods. Tab enters it once; the arrow keys move inside.
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import type { Method, Resource } from '#messages/permissions.ts';
import { methodNames, methods, nameResource } from '#messages/permissions.ts';
import css from './permissions.module.css';

type CellProps = { 'data-cell': string; tabIndex: number; onFocus: () => void };

type Props = {
  label: string;
  rows: readonly (Resource | '*')[];
  cell: (resource: Resource | '*', method: Method, props: CellProps) => ReactNode;
};

const steps: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};
const clamp = (value: number, end: number): number => Math.max(0, Math.min(value, end - 1));

export function Grid({ label, rows, cell }: Props) {
  const table = useRef<HTMLTableElement>(null);
  const hint = useId();
  const [[row, column], setCurrent] = useState<readonly [number, number]>([0, 0]);

  function move(event: KeyboardEvent) {
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = `${clamp(row + step[0], rows.length)},${clamp(column + step[1], methods.length)}`;
    table.current?.querySelector<HTMLElement>(`[data-cell="${next}"]`)?.focus();
  }

  return (
    <div className={css.scroll}>
      <table
        ref={table}
        className={css.matrix}
        role="grid"
        aria-label={label}
        aria-describedby={hint}
        onKeyDown={move}
      >
        <thead>
          <tr>
            <td>
              <span id={hint} data-unseen>
                The arrow keys move between the cells.
              </span>
            </td>
            {methods.map((method) => (
              <th key={method} scope="col">
                {methodNames[method]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((resource, rowIndex) => (
            <tr key={resource}>
              <th scope="row">{nameResource(resource)}</th>
              {methods.map((method, columnIndex) => (
                <td key={method}>
                  {cell(resource, method, {
                    'data-cell': `${rowIndex},${columnIndex}`,
                    tabIndex: rowIndex === row && columnIndex === column ? 0 : -1,
                    onFocus: () => setCurrent([rowIndex, columnIndex]),
                  })}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
