// The fields of a profile, by concern. A field has the name of its member, with dots.
import type { Partner, UpdatePartner } from '@concord/client';

type Name =
  | Exclude<keyof UpdatePartner, 'billing_address'>
  | `${typeof prefix}${keyof Partner['billing_address']}`;
type Own = {
  readonly label: string;
  readonly help?: string;
  readonly kind?: 'email' | 'tel' | 'url' | 'text' | 'area';
};
export type Field = Own & { readonly name: string };
export type Concern = { readonly title: string; readonly submit: string; readonly fields: readonly Field[] };

const prefix = 'billing_address.';
/** All members that a person can change, in the order of their form. */
const fields: Readonly<Record<Name, Own & { readonly of: 'Business' | 'Contact' | 'Billing' | 'Location' }>> =
  {
    name: { of: 'Business', label: 'Name' },
    description: { of: 'Business', label: 'Description', kind: 'area' },
    website: { of: 'Business', label: 'Website', kind: 'url' },
    vat_no: { of: 'Business', label: 'VAT number' },
    phone: { of: 'Contact', label: 'Phone', kind: 'tel' },
    support_email: {
      of: 'Contact',
      label: 'Support e-mail address',
      kind: 'email',
      help: 'Where customers of this partner get help.',
    },
    support_phone: { of: 'Contact', label: 'Support phone', kind: 'tel' },
    billing_email: {
      of: 'Billing',
      label: 'Billing e-mail address',
      kind: 'email',
      help: 'Where invoices go.',
    },
    'billing_address.street': { of: 'Billing', label: 'Street' },
    'billing_address.postal_code': { of: 'Billing', label: 'Postal code' },
    'billing_address.city': { of: 'Billing', label: 'City' },
    'billing_address.region': { of: 'Billing', label: 'Region' },
    'billing_address.country': {
      of: 'Billing',
      label: 'Country',
      help: 'Its name or code, such as Norway or NO.',
    },
    'billing_address.latitude': { of: 'Location', label: 'Latitude', help: 'In degrees, such as 59.9139.' },
    'billing_address.longitude': { of: 'Location', label: 'Longitude', help: 'In degrees, such as 10.7522.' },
  };
const all = Object.entries(fields).map(([name, field]) => ({ name, ...field }));
const concern = (title: string, submit: string): Concern => ({
  title,
  submit,
  fields: all.filter(({ of }) => of === title),
});

export const columns: readonly (readonly Concern[])[] = [
  [concern('Business', 'Save the business'), concern('Contact', 'Save the contact')],
  [concern('Billing', 'Save the billing details'), concern('Location', 'Save the location')],
];

export const labels: Readonly<Record<string, string>> = Object.fromEntries(
  all.map(({ name, label }) => [name, label]),
);

export type Texts = Readonly<Record<string, string>>;

/** The values of a concern as texts. Empty: not known. */
export function textsOf(partner: Partner, { fields }: Concern): Texts {
  const address: Readonly<Record<string, unknown>> = partner.billing_address;
  const members = partner as unknown as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    fields.map(({ name }) => [
      name,
      String((name.startsWith(prefix) ? address[name.slice(prefix.length)] : members[name]) ?? ''),
    ]),
  );
}

/** The body that sets these fields. The address is merged by the API, so it has only what changes. */
export function bodyOf(changes: Partial<Texts>): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  const address: Record<string, unknown> = {};
  for (const [name, text = ''] of Object.entries(changes)) {
    if (!name.startsWith(prefix)) body[name] = name === 'name' ? text : text.trim() || null;
    else address[name.slice(prefix.length)] = toValue(name, text.trim());
  }
  return Object.keys(address).length === 0 ? body : { ...body, billing_address: address };
}

function toValue(name: string, text: string): string | number | null {
  if (text === '') return null;
  const number = Number(text);
  return /itude$/.test(name) && Number.isFinite(number) ? number : text;
}
