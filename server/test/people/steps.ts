// Steps of a story over HTTP, each with its answer.
import { expect } from 'vitest';
import type { Response, TestService } from '../stage/start-service.ts';

export type Step = ReturnType<typeof createStep>;

/** Sends a request and checks its answer. A path alone is of an account operation. */
export const createStep =
  (service: TestService) =>
  async (
    what: string,
    operation: string,
    options: Parameters<TestService['request']>[2],
    status: number,
    code?: string,
  ): Promise<Response> => {
    const named = operation.includes(' ') ? operation : `POST /api/auth/${operation}`;
    const [method = '', path = ''] = named.split(' ');
    const response = await service.request(method, path, { token: null, ...options });
    expect([response.status, response.body?.code], what).toEqual([status, code ?? response.body?.code]);
    return response;
  };
