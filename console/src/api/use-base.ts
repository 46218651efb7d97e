// The version that a form on a page was filled with. It follows what the page reads, until the person edits it.
import { useState } from 'react';
import { isSame, type Version } from './save-version.ts';

export function useBase<Fields>(now: Version<Fields>): {
  readonly base: Version<Fields>;
  /** The form's key: another one fills it again. */
  readonly key: number;
  readonly onEdit: () => void;
  /** After a save: fields that now differ from what they show are filled again. */
  readonly follow: (current: Version<Fields>, shown: Fields) => void;
} {
  /** `isEdited`: it stays, whatever the page reads meanwhile. */
  const [base, setBase] = useState({ ...now, key: 0, isEdited: false });
  if (!base.isEdited && !isSame(base.data, now.data)) setBase({ ...now, key: base.key + 1, isEdited: false });
  return {
    base,
    key: base.key,
    onEdit: () => !base.isEdited && setBase({ ...base, isEdited: true }),
    follow: (current, shown) =>
      setBase({ ...current, key: base.key + (isSame(current.data, shown) ? 0 : 1), isEdited: false }),
  };
}
