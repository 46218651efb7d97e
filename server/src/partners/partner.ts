// A partner, and what an update changes. Pure: no SQL, no HTTP.
import { type BillingAddress, emptyAddress, mergeAddress } from './billing-address.ts';

/** The members that hold one text. */
const textMembers = [
  'name',
  'description',
  'phone',
  'vat_no',
  'website',
  'billing_email',
  'support_email',
  'support_phone',
] as const;
type TextMember = (typeof textMembers)[number];

/** The members of a partner that a client can change. */
export type PartnerContent = { name: string } & Record<Exclude<TextMember, 'name'>, string | null> & {
    billing_address: BillingAddress;
  };

export type Partner = PartnerContent & { id: string; created_at: string; updated_at: string };

export type PartnerChanges = { readonly [M in TextMember]?: string | null } & {
  readonly billing_address?: unknown;
};

/** JSON pointers (RFC 6901) to the members of a body that have no effect. */
export type Ignored = string[];

export const blankContent: PartnerContent = {
  name: '',
  description: null,
  phone: null,
  vat_no: null,
  website: null,
  billing_address: emptyAddress,
  billing_email: null,
  support_email: null,
  support_phone: null,
};

export function revise(
  current: PartnerContent,
  changes: PartnerChanges,
): { next: PartnerContent; ignored: Ignored } {
  const next: PartnerContent = { ...current };
  const ignored: Ignored = [];
  for (const member of textMembers) {
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
