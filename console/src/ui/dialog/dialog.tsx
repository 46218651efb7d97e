// Dialogs over the page: any content, one form, or a question; and buttons that open them.
import { type ComponentProps, type ReactNode, useId, useState } from 'react';
import { useRun } from '#api/run.ts';
import { Button, IconButton } from '../button.tsx';
import { classNames } from '../class-names.ts';
import { Problem, Waiting } from '../feedback/feedback.tsx';
import { Form } from '../form/form.tsx';
import { CrossIcon } from '../icons.tsx';
import css from './dialog.module.css';
import { InDialog } from './in-dialog.ts';
import { Modal } from './modal.tsx';

type Props = {
  title: string;
  description?: ReactNode;
  onClose: () => void;
  children?: ReactNode;
  isWide?: boolean;
  /** Stays when somebody clicks beside it: it has a form, or a secret that is shown once. */
  staysOpen?: boolean;
};

/** Render it while it is open. Escape and its button close it. */
export function Dialog({ title, description, onClose, children, isWide = false, staysOpen = false }: Props) {
  const id = useId();
  return (
    <Modal
      labelledBy={id}
      className={classNames(css.popup, isWide && css.wide)}
      onClose={onClose}
      staysOpen={staysOpen}
    >
      <div className={css.head}>
        <h2 id={id} className={css.title}>
          {title}
        </h2>
        <IconButton label="Close" data-close onClick={onClose}>
          <CrossIcon />
        </IconButton>
      </div>
      {description !== undefined && <div className={css.description}>{description}</div>}
      <InDialog value={true}>{children}</InDialog>
    </Modal>
  );
}

/**
 * The buttons of a dialog, at its end: first the one that cancels, and last the one that does what the dialog
 * is for.
 */
export const DialogActions = ({ children }: { children: ReactNode }) => (
  <div className={css.actions}>{children}</div>
);

type FormDialogProps = Omit<Props, 'children' | 'staysOpen'> & Omit<ComponentProps<typeof Form>, 'beside'>;

/** A dialog that is one form. It closes itself when the form is sent, unless `onSubmit` resolves to false. */
export function FormDialog({
  title,
  description,
  onClose,
  isWide = false,
  onSubmit,
  ...form
}: FormDialogProps) {
  return (
    <Dialog title={title} description={description} onClose={onClose} isWide={isWide} staysOpen>
      <Form
        {...form}
        isWide={isWide}
        beside={<Button onClick={onClose}>Cancel</Button>}
        onSubmit={async (values) => {
          if ((await onSubmit(values)) !== false) onClose();
        }}
      />
    </Dialog>
  );
}

type ConfirmProps = {
  title: string;
  children: ReactNode;
  /** What the button does: "Delete the endpoint". */
  confirm: string;
  isDangerous?: boolean;
  explain?: Readonly<Record<string, string>>;
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
};

/**
 * Asks once before something that cannot be undone, or that others notice. It closes itself when it is done. A
 * failure stays in the dialog.
 */
export function Confirm({
  title,
  children,
  confirm,
  isDangerous = true,
  explain,
  onConfirm,
  onClose,
}: ConfirmProps) {
  const { isBusy, failure, run } = useRun();
  const confirmed = async () => {
    await onConfirm();
    onClose();
  };
  return (
    <Dialog title={title} onClose={onClose} description={children}>
      {failure && <Problem error={failure} explain={explain} />}
      <DialogActions>
        {isBusy && <Waiting />}
        <Button onClick={onClose}>Cancel</Button>
        <Button look={isDangerous ? 'danger' : 'primary'} isBusy={isBusy} onClick={() => void run(confirmed)}>
          {confirm}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

type OpenerProps = Omit<ComponentProps<typeof Button>, 'onClick'> & {
  dialog: (onClose: () => void) => ReactNode;
};

/** A button that opens a dialog. */
export function DialogButton({ dialog, ...button }: OpenerProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button {...button} onClick={() => setOpen(true)} />
      {isOpen && dialog(() => setOpen(false))}
    </>
  );
}

type ConfirmButtonProps = Omit<ConfirmProps, 'onClose'> &
  Pick<OpenerProps, 'look' | 'aria-label'> & {
    /** What it says. */
    button: string;
  };

/** A button that asks before it does something. */
export const ConfirmButton = ({ button, look, 'aria-label': label, ...question }: ConfirmButtonProps) => (
  <DialogButton
    look={look}
    aria-label={label}
    dialog={(onClose) => <Confirm {...question} onClose={onClose} />}
  >
    {button}
  </DialogButton>
);
