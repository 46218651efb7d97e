// Offered when a partner would lose its last owner: only an operator can go on all the same.
import { useState } from 'react';
import { isCode } from '#api/read.ts';
import { CheckField } from '#ui/form/field.tsx';
import type { Values } from '#ui/form/form.tsx';

type Orphan = {
  readonly isOffered: boolean;
  /** Offers it after the refusal. */
  watch<Result>(change: () => Promise<Result>): Promise<Result>;
  query(values: Values): { orphan?: boolean };
};

export function useOrphan(): Orphan {
  const [isOffered, setOffered] = useState(false);
  return {
    isOffered,
    watch: async (change) => {
      try {
        return await change();
      } catch (error) {
        if (isCode(error, 'last_owner')) setOffered(true);
        throw error;
      }
    },
    query: (values) => (values.isChecked('orphan') ? { orphan: true } : {}),
  };
}

export function OrphanField({ isOffered }: Orphan) {
  if (!isOffered) return null;
  return (
    <CheckField
      name="orphan"
      label="Leave the partner without an owner"
      help="Nobody of the partner can then change who has access. Operators still can."
    />
  );
}
