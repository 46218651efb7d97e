// `concord deliveries send-now` and `concord deliveries replay`.
import { replayDelivery, sendDeliveryNow } from '@concord/client';
import type { Command } from '../command.ts';

const create = (
  verb: 'send-now' | 'replay',
  summary: string,
  operation: typeof replayDelivery | typeof sendDeliveryNow,
): Command => ({
  path: ['deliveries', verb],
  summary,
  argument: { name: '<id>', description: 'the delivery, such as dlv_01h2xcejqtf2nbrexx3vqjhp41' },
  example: `concord deliveries ${verb} dlv_01h2xcejqtf2nbrexx3vqjhp41`,
  async run({ client, input, out, partner }) {
    const path = { id: partner(), delivery_id: input.id('dlv') };
    const delivery = await operation({ client: client(), path });
    out.result(delivery, `${delivery.id}  ${delivery.state}`);
  },
});

export const deliveriesSendNow = create('send-now', 'Send a pending delivery now', sendDeliveryNow);
export const deliveriesReplay = create('replay', 'Send a delivery that has ended again', replayDelivery);
