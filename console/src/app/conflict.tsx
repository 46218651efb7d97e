// Somebody else changed the same thing meanwhile (412): shows both, and lets the person choose.
import { useEffect } from 'react';
import { conflictQuestion } from '#api/questions.ts';
import { Button } from '#ui/button.tsx';
import css from '#ui/dialog/dialog.module.css';
import { Dialog, DialogActions } from '#ui/dialog/dialog.tsx';

export function Conflict() {
  const question = conflictQuestion.useValue();
  // Nothing is saved when the page is left meanwhile.
  useEffect(() => () => conflictQuestion.read()?.answer(false), []);
  if (question === null) return null;
  const { thing, differences } = question.about;
  return (
    <Dialog
      title={`Somebody else changed ${thing}`}
      description="It was changed after you opened this page. None of your changes is lost yet: choose which to keep."
      onClose={() => question.answer(false)}
      isWide
      staysOpen
    >
      <div className={css.scroll}>
        <table className={css.differences}>
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">Yours</th>
              <th scope="col">Theirs, already saved</th>
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
        <Button onClick={() => question.answer('theirs')}>Take theirs</Button>
        <Button look="primary" onClick={() => question.answer('mine')}>
          Save mine over it
        </Button>
      </DialogActions>
    </Dialog>
  );
}
