// Health. Live: the process answers. Ready: its database answers, and it is not stopping.
import { Type } from 'typebox';
import { ServiceError } from '../errors.ts';
import { Closed } from './schemas.ts';
import { anyone, type HttpServer } from './server.ts';

const Health = Closed('Health', { status: Type.Literal('ok') }, { status: 'ok' });

export function registerHealth(server: HttpServer, isReady: () => Promise<boolean>): void {
  const tags = ['Health'];
  server.get(
    '/health/live',
    {
      onRequest: anyone,
      schema: {
        operationId: 'getLiveness',
        tags,
        summary: 'Check that the process is alive',
        description: 'Answers while the process runs, also when the database is away.',
        response: { 200: Health },
      },
    },
    async () => ({ status: 'ok' as const }),
  );
  server.get(
    '/health/ready',
    {
      onRequest: anyone,
      schema: {
        operationId: 'getReadiness',
        tags,
        summary: 'Check that the service can serve requests',
        description:
          'Answers 200 when the database answers and the service is not stopping, and 500 otherwise.',
        response: { 200: Health },
      },
    },
    async () => {
      if (!(await isReady())) throw new ServiceError('not_ready');
      return { status: 'ok' as const };
    },
  );
}
