// `concord endpoints pause` and `concord endpoints resume`.
import { pauseWebhookEndpoint, resumeWebhookEndpoint } from '@concord/client';
import type { Command } from '../command.ts';

const create = (
  verb: 'pause' | 'resume',
  summary: string,
  operation: typeof pauseWebhookEndpoint | typeof resumeWebhookEndpoint,
): Command => ({
  path: ['endpoints', verb],
  summary,
  argument: { name: '<id>', description: 'the endpoint, such as whe_01h2xcejqtf2nbrexx3vqjhp41' },
  example: `concord endpoints ${verb} whe_01h2xcejqtf2nbrexx3vqjhp41`,
  async run({ client, input, out, partner }) {
    const path = { id: partner(), endpoint_id: input.id('whe') };
    const changed = await operation({ client: client(), path });
    out.result(changed, `${changed.id}  ${changed.status}`);
  },
});

export const endpointsPause = create('pause', 'Pause an endpoint: its deliveries wait', pauseWebhookEndpoint);
export const endpointsResume = create(
  'resume',
  'Resume a paused or disabled endpoint',
  resumeWebhookEndpoint,
);
