// Health: live says that the process answers, ready that it can serve (its database answers and it is not stopping).
import { Type } from 'typebox';
import { ServiceError } from '../errors.ts';
import { anyone, type HttpServer } from './server.ts';

const Healthy = Type.Object({ status: Type.Literal('ok') }, { additionalProperties: false });

export function registerHealth(server: HttpServer, isReady: () => Promise<boolean>): void {
  const tags = ['Health'];
  server.get(
    '/health/live',
    {
      onRequest: anyone,
      schema: { operationId: 'getLiveness', tags, summary: 'Is the process alive?', response: { 200: Healthy } },
    },
    async () => ({ status: 'ok' as const }),
  );
  server.get(
    '/health/ready',
    {
      onRequest: anyone,
      schema: { operationId: 'getReadiness', tags, summary: 'Can it serve requests?', response: { 200: Healthy } },
    },
    async () => {
      if (!(await isReady())) throw new ServiceError('not_ready');
      return { status: 'ok' as const };
    },
  );
}
