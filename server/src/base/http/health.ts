// Health. Live: the process answers. Ready: its database answers, and it is not stopping.
import { Type } from 'typebox';
import { ServiceError } from '../errors.ts';
import { Closed } from './schemas.ts';
import { anyone, type HttpServer } from './server.ts';

const Health = Closed('Health', { status: Type.Literal('ok') }, { status: 'ok' });

type Operation = { operationId: string; summary: string; description: string };

export function registerHealth(server: HttpServer, isReady: () => Promise<boolean>): void {
  const answer = (path: string, operation: Operation, isWell: () => Promise<boolean>) =>
    server.get(
      path,
      { onRequest: anyone, schema: { ...operation, tags: ['Health'], response: { 200: Health } } },
      async () => {
        if (!(await isWell())) throw new ServiceError('not_ready');
        return { status: 'ok' as const };
      },
    );
  answer(
    '/health/live',
    {
      operationId: 'getLiveness',
      summary: 'Check that the process is alive',
      description: 'Answers while the process runs, also when the database is away.',
    },
    async () => true,
  );
  answer(
    '/health/ready',
    {
      operationId: 'getReadiness',
      summary: 'Check that the service can serve requests',
      description:
        'Answers 200 when the database answers and the service is not stopping, and 500 otherwise.',
    },
    isReady,
  );
}
