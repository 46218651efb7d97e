// A partner, and what an update changes. Pure: no SQL, no HTTP.
import { type BillingAddress, emptyAddress, mergeAddress } from './billing-address.ts';
import { type TextColumn, textNames } from './columns.ts';
import type { UpdatePartner } from './schema.ts';

/** The members of a partner that a client can change. */
export type PartnerContent = { name: string } & Record<Exclude<TextColumn, 'name'>, string | null> & {
    billing_address: BillingAddress;
  };

export type Partner = PartnerContent & { id: string; created_at: string; updated_at: string };

export const blankContent = {
  ...Object.fromEntries(textNames.map((name) => [name, null])),
  name: '',
  billing_address: emptyAddress,
} as PartnerContent;

/** `ignored`: JSON pointers (RFC 6901) to the members of a body that have no effect. */
export function revise(current: PartnerContent, changes: UpdatePartner) {
  const next: PartnerContent = { ...current };
  const ignored: string[] = [];
  for (const member of textNames) {
    const value = changes[member];
    if (value === undefined) continue;
    if (member !== 'name') next[member] = value;
    else if (value !== null) next.name = value;
    else ignored.push('/name'); // A partner always has a name.
  }
  if (changes.billing_address !== undefined) {
    const merged = mergeAddress(current.billing_address, changes.billing_address);
    next.billing_address = merged.address;
    ignored.push(...merged.ignored);
  }
  return { next, ignored };
}
