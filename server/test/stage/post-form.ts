// Sends a form, as OAuth does.
import type { TestService } from './start-service.ts';

export const postForm = (
  { request }: Pick<TestService, 'request'>,
  path: string,
  form: Record<string, string> | string[][],
  headers: Record<string, string> = {},
) =>
  request('POST', path, {
    token: null,
    body: new URLSearchParams(form).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  });
