// What an endpoint gets of an event: all of it, or the envelope without the data (behaviour W76).

export const payloads = ['full', 'thin'] as const;
export type Payload = (typeof payloads)[number];

/** Begins the last member of a stored event. No value before it can contain this text. */
export const dataMember = ',"data":';

/** A statement that must be fetched proves nothing, so checkpoints keep their data (behaviour W77). */
const isCheckpoint = (body: string) => /^\{"id":"[^"]+","type":"webhook_endpoint\.checkpoint",/.test(body);

/** The text that an endpoint gets for a stored event. */
export const bodyFor = (payload: Payload, body: string): string =>
  payload === 'full' || isCheckpoint(body) ? body : `${body.slice(0, body.indexOf(dataMember))}}`;

/** The body of a request with these events: one, or those of a batch in their order (behaviour W70). */
export const requestBody = (payload: Payload, events: readonly string[], isBatch: boolean): string => {
  const bodies = events.map((event) => bodyFor(payload, event)).join(',');
  return isBatch ? `[${bodies}]` : bodies;
};
