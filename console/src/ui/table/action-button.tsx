// An action of a row, as a button on the page of the thing.
import { Button } from '../button.tsx';
import { DialogButton } from '../dialog/dialog.tsx';
import type { RowAction } from './table.tsx';

type Props = { action: RowAction; look: 'plain' | 'secondary' };

export function ActionButton({ action, look }: Props) {
  const { label, disabledBecause } = action;
  const button = { look, disabled: disabledBecause !== undefined, title: disabledBecause, children: label };
  return 'dialog' in action ? (
    <DialogButton {...button} dialog={action.dialog} />
  ) : (
    <Button {...button} onClick={action.onSelect} />
  );
}
