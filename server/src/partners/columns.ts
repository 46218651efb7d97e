// The columns of a partner that a client can change. The row, the select, the insert, the update and what the
// audit log can erase follow from this list.

/**
 * Each holds one text, and is a member of the partner with the same name. True: it can identify a person, so the
 * audit log keeps its changes where they can be erased.
 */
const isPersonal = {
  name: false,
  description: false,
  phone: true,
  vat_no: false,
  website: false,
  billing_email: true,
  support_email: true,
  support_phone: true,
} as const;
export type TextColumn = keyof typeof isPersonal;
export const textNames = Object.keys(isPersonal) as readonly TextColumn[];

export const personalNames = textNames.filter((name) => isPersonal[name]);

/** They make up the member `billing_address`. */
export const addressTexts = ['street', 'postal_code', 'city', 'region', 'country'] as const;
export const coordinates = ['latitude', 'longitude'] as const;
