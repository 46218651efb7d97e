// Somebody else changed the same thing meanwhile (412): shows both, and lets the person choose.
import { Button } from '../button/button.tsx';
import css from './dialog.module.css';
import { Dialog, DialogActions } from './dialog.tsx';

type Props = {
  /** "the partner" */
  thing: string;
  /** The fields in which both differ. */
  differences: readonly { readonly field: string; readonly mine: string; readonly theirs: string }[];
  onKeepMine: () => void;
  onTakeTheirs: () => void;
};

export function Conflict({ thing, differences, onKeepMine, onTakeTheirs }: Props) {
  return (
    <Dialog
      title={`Somebody else changed ${thing}`}
      description="It was changed after you opened this page. Nothing of yours is lost yet: choose what counts."
      onClose={onTakeTheirs}
      isWide
      staysOpen
    >
      <div className={css.scroll}>
        <table className={css.differences}>
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">Yours</th>
              <th scope="col">Theirs, saved already</th>
            </tr>
          </thead>
          <tbody>
            {differences.map(({ field, mine, theirs }) => (
              <tr key={field}>
                <th scope="row">{field}</th>
                <td>{mine || '–'}</td>
                <td>{theirs || '–'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <DialogActions>
        <Button onClick={onTakeTheirs}>Take theirs</Button>
        <Button look="primary" onClick={onKeepMine}>
          Save mine over it
        </Button>
      </DialogActions>
    </Dialog>
  );
}
