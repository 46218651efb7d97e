// What the shapes are made of.

export const nullableString = { type: ['string', 'null'] };
export const environment = { enum: ['live', 'sandbox'] };
export const timestamp = { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' };

/** Every member is required, and no other is allowed. */
export const closed = (properties: Record<string, object>) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

export const matching = (pattern: string) => ({ type: 'string', pattern });
export const orNull = (shape: object) => ({ anyOf: [shape, { type: 'null' }] });
export const closedOrNull = (properties: Record<string, object>) => ({
  ...closed(properties),
  type: ['object', 'null'],
});

export const listOf = (items: object) => ({ type: 'array', items });

export const flag = { type: 'boolean' };

export const nothing = { type: 'null' };
export const anything = {};

export const idOf = (prefix: string) => matching(`^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`);
export const nullableTimestamp = orNull(timestamp);

export const integer = { type: 'integer' };
export const nullableInteger = { type: ['integer', 'null'] };
export const natural = { type: 'integer', minimum: 0 };
export const nullableNatural = { type: ['integer', 'null'], minimum: 0 };

export const text = { type: 'string' };
