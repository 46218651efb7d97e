// Reads the events of a body, on the event loop or in a thread. The schemas of their types come later.
import { invalidRequest, ServiceError } from '../../base/errors.ts';
import { parseJson, requireBinary64, textsOfMember } from '../../base/http/json-body.ts';
import { isStorable } from '../../base/http/schemas.ts';
import { createCheck } from '../../base/http/validation.ts';
import type { Environment } from '../environments.ts';
import { type PublishEvent, PublishEvents } from './schema.ts';

/** An event to publish. `data` is JSON text. */
export type Draft = { type: string; environment: Environment; producerId: string | null; data: string };

const maxEventBytes = 256 * 1024;
/** UTF-8 cannot carry a lone surrogate, and JSON no NUL, except by an escape. */
const suspectEscape = /\\u(?:0000|d[89a-f])/i;

const requireEvents = createCheck(PublishEvents);

/** The events of a batch. @throws ServiceError invalid_json, invalid_request, body_too_large */
export function readBatch(bytes: Uint8Array): Draft[] {
  const bodies = requireEvents(parseJson(bytes));
  const texts = textsOfMember(bodies, 'data');
  return bodies.map((body, index) => toDraft(body, texts[index], index, `/${index}/data`));
}

/**
 * The event of a body that has passed its schema. `parsed`: what was parsed, if that is another value.
 * @throws ServiceError body_too_large, invalid_request
 */
export const readDraft = (body: PublishEvent, parsed: object = body): Draft =>
  toDraft(body, textsOfMember(parsed, 'data')[0], 0, '/data');

function toDraft(body: PublishEvent, text = '', index: number, pointer: string): Draft {
  const { type, data, environment = 'live', producer_id: producerId = null } = body;
  if (suspectEscape.test(text) && !isStorable(data))
    throw invalidRequest(pointer, 'must not contain NUL or a lone surrogate');
  requireBinary64(data, pointer);
  if (Buffer.byteLength(text) > maxEventBytes)
    throw new ServiceError('body_too_large', {
      detail: `The data of event ${index} has more than 256 KiB.`,
    });
  return { type, environment, producerId, data: text };
}
