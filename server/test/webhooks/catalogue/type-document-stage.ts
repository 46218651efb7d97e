// Documents of event types, and their import.
import { succeed } from '../../stage/cast.ts';
import type { TestService } from '../../stage/start-service.ts';

export type Step = { name: string; action: string; reason: string | null };

export const webhook = (schema: unknown, example?: unknown, more: object = {}) => ({
  post: {
    summary: 'In short',
    ...more,
    requestBody: { content: { 'application/json': { schema, ...(example !== undefined && { example }) } } },
  },
});
export const openApi = (webhooks: object, components: object = {}) => ({
  openapi: '3.1.0',
  info: { title: 't', version: '1' },
  webhooks,
  components,
});

export function createImport(service: TestService) {
  const ask = (document: unknown, more: object = {}) =>
    service.post('/event-types/import', {
      document: typeof document === 'string' ? document : JSON.stringify(document),
      ...more,
    });
  const stepsOf = async (document: unknown): Promise<Step[]> => succeed(await ask(document)).types;
  return { ask, stepsOf };
}
