// An OpenID Connect provider that says whatever a test wants.
import { createServer, type ServerResponse } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { startListening } from '../stage/listen.ts';

type Claims = Record<string, unknown>;

export async function startHostileIssuer() {
  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid: 'k', alg: 'RS256', use: 'sig' };
  const server = createServer();
  const { port, close } = await startListening(server);
  const issuer = `http://127.0.0.1:${port}`;
  const now = () => Math.floor(Date.now() / 1_000);
  let idToken = '';
  const document: Claims = {
    issuer,
    authorization_endpoint: `${issuer}/auth`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    authorization_response_iss_parameter_supported: true,
    id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
  };
  const send = (response: ServerResponse, body: object) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  const answers: Record<string, (response: ServerResponse) => void> = {
    '/.well-known/openid-configuration': (response) => send(response, document),
    '/jwks': (response) => send(response, { keys: [jwk] }),
    '/token': (response) =>
      send(response, { access_token: 'a', token_type: 'Bearer', expires_in: 60, id_token: idToken }),
  };
  server.on('request', (request, response) =>
    (answers[request.url ?? ''] ?? (() => response.writeHead(404).end()))(response),
  );
  const sign = (claims: Claims, header: object = {}) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'k', ...header }).sign(privateKey);
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return {
    issuer,
    jwk,
    document,
    answers,
    sign,
    now,
    unsigned: (claims: Claims) => `${part({ alg: 'none' })}.${part(claims)}.`,
    byPublicKey: (claims: Claims) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256', kid: 'k' })
        .sign(Buffer.from(JSON.stringify(jwk))),
    /** What the token endpoint answers from now on. */
    issue(token: string) {
      idToken = token;
    },
    close,
  };
}
