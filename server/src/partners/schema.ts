// The wire of partners: docs/interface.md 2.1, 2.2 and 4.2.
import { type Static, Type } from 'typebox';
import { listQuery } from '../http/lists.ts';
import { NullableString, NullableText, PathId, Text, Timestamp } from '../http/schemas.ts';

const Coordinate = (description: string) =>
  Type.Unsafe<number | 'NaN' | 'Infinity' | '-Infinity' | null>({
    description,
    anyOf: [{ type: 'number' }, { type: 'string', enum: ['NaN', 'Infinity', '-Infinity'] }, { type: 'null' }],
  });

const BillingAddress = Type.Object(
  {
    street: NullableString(),
    postal_code: NullableString(),
    city: NullableString(),
    region: NullableString(),
    country: NullableString(),
    latitude: Coordinate('Any number, or NaN, Infinity, -Infinity as text'),
    longitude: Coordinate('Any number, or NaN, Infinity, -Infinity as text'),
  },
  { additionalProperties: false },
);

export const Partner = Type.Object(
  {
    id: Type.String({ examples: ['ptr_01h2xcejqtf2nbrexx3vqjhp41'] }),
    name: Type.String(),
    description: NullableString(),
    phone: NullableString(),
    vat_no: NullableString(),
    website: NullableString(),
    billing_address: BillingAddress,
    billing_email: NullableString(),
    support_email: NullableString(),
    support_phone: NullableString(),
    created_at: Timestamp(),
    updated_at: Timestamp('Moves only when something changed'),
  },
  { title: 'Partner', additionalProperties: false },
);

const details = {
  description: Type.Optional(NullableText(2_000)),
  phone: Type.Optional(NullableText(32)),
  vat_no: Type.Optional(NullableText(255)),
  website: Type.Optional(NullableText(2_048)),
  billing_email: Type.Optional(NullableText(255, 'Free text')),
  support_email: Type.Optional(NullableText(255, 'Free text')),
  support_phone: Type.Optional(NullableText(32)),
  billing_address: Type.Optional(
    Type.Unknown({
      description:
        'Any JSON. An object is merged into the address (RFC 7396), null clears it; what does not fit is ignored and named in the response header Ignored-Members.',
    }),
  ),
};

export const UpdatePartner = Type.Object(
  { name: Type.Optional(NullableText(255, 'null leaves the name as it is')), ...details },
  { title: 'UpdatePartner', additionalProperties: false },
);
export type UpdatePartner = Static<typeof UpdatePartner>;

export const CreatePartner = Type.Object(
  { name: Text(255), ...details },
  { title: 'CreatePartner', additionalProperties: false },
);
export type CreatePartner = Static<typeof CreatePartner>;

export const PartnerPath = Type.Object({ id: PathId('The partner') });

export const partnerList = {
  kind: 'partner',
  sortable: { name: 'text', created_at: 'timestamp', updated_at: 'timestamp' },
  filters: {
    name: 'Partners whose name contains this text, in any case',
    vat_no: 'Partners whose VAT number contains this text, in any case',
  },
} as const;

export const PartnerListQuery = listQuery(partnerList);
