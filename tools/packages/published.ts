// The packages that a Concord serves, and that a registry takes. A line here adds one.

/** By the folder in packages/: the most bytes that the own code may have, minified. */
export const published = {
  'http-message-signatures': 20_000,
  'webhook-receiver': 40_000,
  client: 60_000,
  cli: 250_000,
} as const;

export type Name = keyof typeof published;
export const names = Object.keys(published) as Name[];
