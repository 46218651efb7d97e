// A token URL over real sockets: it keeps each request, and answers with tokens that a receiver can check.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from './listen.ts';

type TokenRequest = { headers: IncomingMessage['headers']; form: Record<string, string> };
type Behaviour = (response: ServerResponse, request: TokenRequest) => void;

/** Until the test finishes. `lifeSeconds`: of each token. */
export async function useTokenServer({ lifeSeconds = 3_600 } = {}) {
  const requests: TokenRequest[] = [];
  const valid = new Map<string, number>();
  let behave: Behaviour | undefined;
  const server = createServer(async (incoming, response) => {
    const form = Object.fromEntries(new URLSearchParams(await text(incoming)));
    const request = { headers: incoming.headers, form };
    requests.push(request);
    if (behave) return behave(response, request);
    const token = `token-${requests.length}-of-the-server`;
    valid.set(token, Date.now() + lifeSeconds * 1_000);
    answerToken(response, { access_token: token, token_type: 'Bearer', expires_in: lifeSeconds });
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}/token`,
    requests,
    accepts: (authorization: string | undefined) =>
      (valid.get(authorization?.replace(/^Bearer /, '') ?? '') ?? 0) > Date.now(),
    revokeAll: () => valid.clear(),
    answer(by: Behaviour | undefined) {
      behave = by;
    },
  };
}
export type TokenServer = Awaited<ReturnType<typeof useTokenServer>>;

export const answerToken = (response: ServerResponse, members: object, status = 200) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(members));

export const clientOf = (server: Pick<TokenServer, 'url'>, others: object = {}) => ({
  type: 'oauth2_client_credentials',
  token_url: server.url,
  client_id: 'the client: 1%',
  client_secret: 'a secret+&=:% of the client',
  ...others,
});
