// The wire of partners: docs/interface.md 2.1, 2.2 and 4.2.
import { type Static, type TSchema, Type } from 'typebox';
import {
  Closed,
  exampleId,
  Id,
  NullableString,
  NullableText,
  Text,
  Timestamp,
} from '../base/http/schemas.ts';
import type { TextColumn } from './columns.ts';

const Coordinate = (axis: 'Latitude' | 'Longitude') =>
  Type.Unsafe<number | 'NaN' | 'Infinity' | '-Infinity' | null>({
    description: `${axis}: any number, or one of the texts NaN, Infinity and -Infinity. null: not known`,
    anyOf: [{ type: 'number' }, { type: 'string', enum: ['NaN', 'Infinity', '-Infinity'] }, { type: 'null' }],
  });

const BillingAddress = Type.Object(
  {
    street: NullableString(),
    postal_code: NullableString(),
    city: NullableString(),
    region: NullableString(),
    country: NullableString(),
    latitude: Coordinate('Latitude'),
    longitude: Coordinate('Longitude'),
  },
  {
    title: 'BillingAddress',
    description: 'Each member is null when it is not known',
    additionalProperties: false,
  },
);

const example = {
  id: exampleId('ptr'),
  name: 'Nordlys AS',
  description: 'Distributes lamps in the Nordic countries',
  phone: '+47 21 00 00 00',
  vat_no: 'NO123456789MVA',
  website: 'https://nordlys.example',
  billing_address: {
    street: 'Storgata 1',
    postal_code: '0155',
    city: 'Oslo',
    region: null,
    country: 'Norway',
    latitude: 59.913,
    longitude: 10.752,
  },
  billing_email: 'billing@nordlys.example',
  support_email: 'support@nordlys.example',
  support_phone: null,
  created_at: '2026-01-31T08:00:00.000Z',
  updated_at: '2026-02-14T13:05:09.120Z',
};

/** What a client can set. Each is a column of columns.ts, in its order, and a member of the answer. */
const { properties: details } = Type.Partial(
  Type.Object({
    description: NullableText(2_000),
    phone: NullableText(32),
    vat_no: NullableText(255),
    website: NullableText(2_048),
    billing_email: NullableText(255, 'Any text; the form is not checked'),
    support_email: NullableText(255, 'Any text; the form is not checked'),
    support_phone: NullableText(32),
  } satisfies Record<Exclude<TextColumn, 'name'>, TSchema>),
);
const billing_address = Type.Optional(
  Type.Unknown({
    description:
      'Any JSON value. An object is merged into the address (RFC 7396). null clears the address. Unknown members and invalid values are ignored; the response header `Ignored-Members` lists them.',
  }),
);
const names = Object.keys(details) as (keyof typeof details)[];
const answered = Object.fromEntries(names.map((name) => [name, NullableString()])) as Record<
  (typeof names)[number],
  ReturnType<typeof NullableString>
>;

export const Partner = Closed(
  'Partner',
  {
    id: Id('ptr'),
    name: Type.String(),
    ...answered,
    billing_address: BillingAddress,
    created_at: Timestamp(),
    updated_at: Timestamp('When a member last changed'),
  },
  example,
);

export const UpdatePartner = Type.Object(
  { name: Type.Optional(NullableText(255, 'null does not change the name')), ...details, billing_address },
  {
    title: 'UpdatePartner',
    description: 'Members that are absent do not change. null clears a member.',
    examples: [
      { support_phone: '+47 21 00 00 01', billing_address: { city: 'Bergen', postal_code: '5003' } },
    ],
    additionalProperties: false,
  },
);
export type UpdatePartner = Static<typeof UpdatePartner>;

export const CreatePartner = Closed(
  'CreatePartner',
  { name: Text(255), ...details, billing_address },
  { name: 'Nordlys AS', vat_no: 'NO123456789MVA', billing_address: { city: 'Oslo', country: 'Norway' } },
);
export type CreatePartner = Static<typeof CreatePartner>;

export const partnerList = {
  kind: 'partner',
  sortable: { name: 'text', created_at: 'timestamp', updated_at: 'timestamp' },
  filters: {
    name: 'Only partners whose name contains this text. Ignores case.',
    vat_no: 'Only partners whose VAT number contains this text. Ignores case.',
  },
} as const;

export const DeletedPartner = Closed(
  'DeletedPartner',
  {
    id: Id('ptr'),
    name: Type.String(),
    deleted_at: Timestamp(),
    restorable_until: Timestamp('30 days after the deletion. From then on the partner cannot be restored'),
  },
  {
    id: example.id,
    name: example.name,
    deleted_at: '2026-02-14T13:05:09.120Z',
    restorable_until: '2026-03-16T13:05:09.120Z',
  },
);
export type DeletedPartner = Static<typeof DeletedPartner>;

export const deletedPartnerList = {
  kind: 'partner',
  sortable: { name: 'text', deleted_at: 'timestamp' },
  filters: { name: partnerList.filters.name },
} as const;
