// The API of a Concord, called as its first operator.
import { operator } from './concord.ts';

export type Api = {
  readonly url: string;
  readonly token: string;
  /** The body of the response, which must be a success. */
  post(path: string, body: object): Promise<Record<string, string>>;
};

export async function signIn(url: string): Promise<Api> {
  const { token = '' } = await post(`${url}/api/auth/sign-in/email`, {}, operator);
  return { url, token, post: (path, body) => post(url + path, { authorization: `Bearer ${token}` }, body) };
}

async function post(url: string, headers: object, body: object): Promise<Record<string, string>> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Record<string, string>;
}
