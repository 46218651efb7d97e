// The fields of a profile, by concern. A field has the name of its member, with dots.
import type { Partner } from '@concord/client';

export type Field = {
  readonly name: string;
  readonly help?: string;
  readonly kind?: 'email' | 'tel' | 'url' | 'text' | 'area';
};
export type Concern = { readonly title: string; readonly submit: string; readonly fields: readonly Field[] };

const concerns = [
  {
    title: 'Business',
    submit: 'Save the business',
    fields: [
      { name: 'name' },
      { name: 'description', kind: 'area' },
      { name: 'website', kind: 'url' },
      { name: 'vat_no' },
    ],
  },
  {
    title: 'Contact',
    submit: 'Save the contact',
    fields: [
      { name: 'phone', kind: 'tel' },
      { name: 'support_email', kind: 'email', help: 'Where customers of this partner get help.' },
      { name: 'support_phone', kind: 'tel' },
    ],
  },
  {
    title: 'Billing',
    submit: 'Save the billing details',
    fields: [
      { name: 'billing_email', kind: 'email', help: 'Where invoices go.' },
      { name: 'billing_address.street' },
      { name: 'billing_address.postal_code' },
      { name: 'billing_address.city' },
      { name: 'billing_address.region' },
      { name: 'billing_address.country' },
      { name: 'billing_address.latitude', help: 'In degrees, such as 59.9139.' },
      { name: 'billing_address.longitude', help: 'In degrees, such as 10.7522.' },
    ],
  },
] as const satisfies readonly Concern[];

/** Side by side where there is room. */
export const columns: readonly (readonly Concern[])[] = [[concerns[0], concerns[1]], [concerns[2]]];

export type Texts = Readonly<Record<string, string>>;
const prefix = 'billing_address.';

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
