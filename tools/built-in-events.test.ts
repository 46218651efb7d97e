// The generated types of the built-in events.
import { expect, it } from 'vitest';
import { generateBuiltInEvents } from './built-in-events.ts';

it('H9: the receiver package and the console get each built-in event type from the list of the server', () => {
  const files = generateBuiltInEvents([
    {
      name: 'order.paid',
      description: 'An order is paid.',
      schema: {
        type: 'object',
        required: ['order_id'],
        properties: {
          order_id: { type: 'string' },
          paid_at: { type: ['string', 'null'], format: 'date-time' },
        },
      },
      example: { order_id: '1' },
    },
    { name: 'order.lost', description: 'An order is lost.', schema: { type: 'object' }, example: {} },
  ]);
  const [types, names] = Object.values(files);
  expect(types).toContain(
    `export type OrderPaidData = {
  order_id: string;
  /** format: "date-time" */
  paid_at?: string | null;
};

/** An order is paid. */
export type OrderPaid = WebhookEvent<'order.paid', Readonly<OrderPaidData>>;
`,
  );
  expect(types).toContain("export type OrderLost = WebhookEvent<'order.lost', Readonly<OrderLostData>>;");
  expect(types).toContain('export type BuiltInEvent =\n  | OrderPaid\n  | OrderLost;');
  expect(names).toContain("= [\n  'order.paid',\n  'order.lost',\n];");
});
