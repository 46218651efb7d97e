// A real OpenID Connect provider and the browser of a person who signs in to it.
import { createServer } from 'node:http';
import Provider from 'oidc-provider';
import { startListening } from './listen.ts';

export type Person = { sub: string; email: string; email_verified?: unknown; name: string };

/** The provider redirects browsers only to `callback`. */
export async function startOidcProvider(callback: string) {
  const people = new Map<string, Person>();
  const server = createServer();
  const { port, close } = await startListening(server);
  const issuer = `http://127.0.0.1:${port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'concord',
        client_secret: 'the secret of concord',
        redirect_uris: [callback],
        grant_types: ['authorization_code'],
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: false,
    cookies: { keys: ['a key for its cookies'] },
    findAccount: (_context, id) => {
      const person = people.get(id);
      return person && { accountId: id, claims: async () => ({ ...person }) };
    },
  });
  provider.on('server_error', () => {});
  let away = false;
  const answer = provider.callback();
  server.on('request', (request, response) =>
    away ? response.writeHead(502).end() : answer(request, response),
  );
  return {
    issuer,
    people,
    /** Another page to which it redirects browsers. */
    async addCallback(uri: string) {
      const client = await provider.Client.find('concord');
      if (client) Object.assign(client, { redirectUris: [...(client.redirectUris ?? []), uri] });
    },
    /** Its client authenticates with the private key of this public one. */
    async takeKey(jwk: object) {
      const client = await provider.Client.find('concord');
      if (!client) return;
      Object.assign(client, { tokenEndpointAuthMethod: 'private_key_jwt', clientSecret: undefined });
      // The types leave out where the provider keeps the keys of a client.
      const { asymmetricKeyStore: keys } = client as unknown as {
        asymmetricKeyStore: { add(jwk: object): void };
      };
      keys.add(jwk);
    },
    setAway(next: boolean) {
      away = next;
    },
    close,
  };
}

/** Follows the redirects of the provider, signs in as `sub` and consents. Returns the callback URL. */
export async function browse(start: string, sub: string, callback: string): Promise<URL> {
  const jar = new Map<string, string>();
  async function visit(url: string, form?: Record<string, string>): Promise<URL> {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';', 1);
      jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
    }
    const location = response.headers.get('location');
    const text = await response.text();
    if (location === null) {
      const prompt = /name="prompt" value="(\w+)"/.exec(text)?.[1];
      if (prompt === undefined) throw new Error(`The provider showed:\n${text.slice(0, 2_000)}`);
      return visit(url, prompt === 'login' ? { prompt, login: sub, password: 'x' } : { prompt });
    }
    const next = new URL(location, url);
    return next.href.startsWith(callback) ? next : visit(next.href);
  }
  return visit(start);
}
