// The wire of documents with event types (behaviour W75).
import { type Static, Type } from 'typebox';
import { Closed, closed, NullableString } from '../../../base/http/schemas.ts';
import { formats } from './export.ts';

const maxDocumentLength = 1_048_576;

const document = `openapi: 3.1.0
info: { title: Warehouse, version: 1.0.0 }
webhooks:
  order.shipped:
    post:
      description: An order has left the warehouse.
      requestBody:
        content:
          application/json:
            schema: { type: object, required: [order_id], properties: { order_id: { type: string } } }
            example: { order_id: A-17 }
`;

export const ImportEventTypes = Closed(
  'ImportEventTypes',
  {
    document: Type.String({
      maxLength: maxDocumentLength,
      description:
        'The text of an OpenAPI 3.1 document with webhooks, or of an AsyncAPI 3 document, in JSON or YAML. References to other documents are refused',
    }),
    apply: Type.Optional(
      Type.Boolean({ description: 'Whether the plan is applied. Default: false, which changes nothing' }),
    ),
    plan: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'The `plan` of the answer that is applied. Required with `apply`',
      }),
    ),
  },
  { document, apply: false },
);
export type ImportEventTypes = Static<typeof ImportEventTypes>;

const step = {
  name: Type.String(),
  action: Type.Enum(['new', 'changed', 'unchanged', 'refused']),
  reason: NullableString('Why the type is refused. Refused types stay as they are. null: it is not refused'),
};
const plan = 'a0f6d2b4c1e8937546d2b4c1e89375a0f6d2b4c1e8937546d2b4c1e89375a0f6';

export const ImportPlan = Closed(
  'ImportPlan',
  {
    plan: Type.String({
      description: 'The hash of the plan. It changes with everything that the plan depends on',
    }),
    applied: Type.Boolean({ description: 'Whether the plan was applied' }),
    types: Type.Array(Type.Object(step, closed), {
      description: 'What happens to each type, in the order of the document',
    }),
  },
  { plan, applied: false, types: [{ name: 'stock.counted', action: 'new', reason: null }] },
);
export type ImportPlan = Static<typeof ImportPlan>;

export const ExportQuery = Type.Object({
  format: Type.Optional(
    Type.Enum([...formats], {
      description: '`openapi`: the webhooks of OpenAPI 3.1. `asyncapi`: AsyncAPI 3. Default: openapi',
    }),
  ),
});
export const ExportedDocument = Type.Object({}, { additionalProperties: true, description: 'The document' });
