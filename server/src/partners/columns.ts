// The columns of a partner that a client can change. The row, the select, the insert, the update and what the
// audit log can erase follow from this list.
type Column = {
  /** True: it can identify a person, so the audit log keeps its changes where they can be erased. */
  readonly personal: boolean;
};

/** Each holds one text, and is a member of the partner with the same name. */
const textColumns = {
  name: { personal: false },
  description: { personal: false },
  phone: { personal: true },
  vat_no: { personal: false },
  website: { personal: false },
  billing_email: { personal: true },
  support_email: { personal: true },
  support_phone: { personal: true },
} as const satisfies Record<string, Column>;
export type TextColumn = keyof typeof textColumns;
export const textNames = Object.keys(textColumns) as readonly TextColumn[];

export const personalNames = textNames.filter((name) => textColumns[name].personal);

/** They make up the member `billing_address`. */
export const addressTexts = ['street', 'postal_code', 'city', 'region', 'country'] as const;
export const coordinates = ['latitude', 'longitude'] as const;
