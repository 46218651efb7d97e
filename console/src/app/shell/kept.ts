// What the rail keeps: which groups are folded, in this browser, and the partner that was chosen last, in
// this tab.
import { useEffect } from 'react';
import { attempt } from '#api/attempt.ts';

const partnerKey = 'concord.partner';
const foldedKey = (name: string): string => `concord.folded.${name}`;

/** Pages of the platform and the account belong to no partner: the last one stays chosen on them. */
export function useKeptPartner(partner: string | undefined): string | null {
  useEffect(() => {
    if (partner !== undefined) attempt(() => sessionStorage.setItem(partnerKey, partner));
  }, [partner]);
  return attempt(() => sessionStorage.getItem(partnerKey));
}
export const forgetPartner = () => attempt(() => sessionStorage.removeItem(partnerKey));

export const isFolded = (name: string): boolean =>
  attempt(() => localStorage.getItem(foldedKey(name))) === 'yes';
export function keepFolded(name: string, folded: boolean): void {
  attempt(() =>
    folded ? localStorage.setItem(foldedKey(name), 'yes') : localStorage.removeItem(foldedKey(name)),
  );
}
