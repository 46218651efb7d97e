// A button that asks before it does something.
import type { ComponentProps } from 'react';
import { Confirm } from './confirm.tsx';
import { DialogButton } from './dialog-button.tsx';

type Look = ComponentProps<typeof DialogButton>['look'];
type Props = Omit<ComponentProps<typeof Confirm>, 'onClose'> & {
  /** What the button says, and `label` if that is more for those who hear it. */
  button: string;
  label?: string;
  look?: Look;
};

export const ConfirmButton = ({ button, label, look = 'secondary', ...question }: Props) => (
  <DialogButton
    look={look}
    aria-label={label}
    dialog={(onClose) => <Confirm {...question} onClose={onClose} />}
  >
    {button}
  </DialogButton>
);
