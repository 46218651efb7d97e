// Records HTTP steps as the rows of a table in the documentation.
import { expect } from 'vitest';
import type { Response, TestService } from './start-service.ts';

export type Steps = ReturnType<typeof recordSteps>;

export function recordSteps(service: TestService) {
  const rows = ['| Step | Operation | Status | Body, or code of the error |', '|---|---|---|---|'];

  /** Sends a request, checks its answer and adds a row to the table. A path alone is of an account operation. */
  async function step(
    what: string,
    operation: string,
    options: Parameters<TestService['request']>[2],
    status: number,
    code?: string,
  ): Promise<Response> {
    const named = operation.includes(' ') ? operation : `POST /api/auth/${operation}`;
    const [method = '', path = ''] = named.split(' ');
    const response = await service.request(method, path, { token: null, ...options });
    expect([what, response.status, response.body?.code]).toEqual([what, status, code ?? response.body?.code]);
    const shown = code === undefined ? describeBody(response.body) : `\`${code}\``;
    rows.push(`| ${what} | ${method} ${path.split('?')[0]} | ${status} | ${shown} |`);
    return response;
  }

  const table = () => rows.join('\n').replaceAll(/usr_\w{26}/g, '{id}');
  return { step, table };
}

function describeBody(body: object | null): string {
  if (body === null) return '';
  if (Array.isArray(body)) return `${describeBody(body[0] ?? {})}, a list`;
  return `\`{${Object.keys(body).join(', ')}}\``;
}
