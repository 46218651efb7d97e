// The options of a client: what it refuses, and where its requests go.
import { expect, it, vi } from 'vitest';
import { type ConcordOptions, createClient, getPartner, items, listPartners } from '../src/index.ts';

const baseUrl = 'http://localhost:3000';
const path = { id: 'ptr_1' };

it.each([
  [{ baseUrl: undefined }, 'baseUrl must be'],
  [{ baseUrl: 'concord.example.com' }, 'baseUrl must be'],
  [{ baseUrl: '//concord.example.com' }, 'baseUrl must be'],
  [{ baseUrl: 'https://ann:secret@concord.example.com' }, 'baseUrl must be'],
  [{ baseUrl: 'https://concord.example.com/?a=b' }, 'baseUrl must be'],
  [{ baseUrl: 'https://concord.example.com#' }, 'baseUrl must be'],
  [{ timeoutMs: Number.NaN }, 'timeoutMs must be an integer from 0 to 2147483647'],
  [{ timeoutMs: -1 }, 'timeoutMs must be'],
  [{ timeoutMs: 2_147_483_648 }, 'timeoutMs must be'],
  [{ timeoutMs: Number.POSITIVE_INFINITY }, 'timeoutMs must be'],
  [{ maxRetries: Number.NaN }, 'maxRetries must be an integer from 0 to Infinity'],
  [{ maxRetries: 0.5 }, 'maxRetries must be'],
  [{ maxWaitMs: -1 }, 'maxWaitMs must be an integer from 0 to 2147483647'],
])('refuses the options %j, with what to pass', (wrong, message) => {
  const create = () => createClient({ baseUrl, ...wrong } as ConcordOptions);
  expect(create).toThrow(message);
  expect(create).not.toThrow('secret');
});

it('says what to pass when the options of the client, or the client of an operation, are missing', async () => {
  expect(() => createClient(undefined as never)).toThrow('baseUrl must be the URL of Concord');
  const message = 'Pass a client to each operation: createClient({ baseUrl }) makes one';
  expect(() => getPartner({ path } as never)).toThrow(message);
  expect(() => listPartners(undefined as never)).toThrow(message);
  await expect(items(listPartners, {} as never).next()).rejects.toThrow(message);
});

it.each([
  ['https://concord.example.com//', 'https://concord.example.com/partners/ptr_1'],
  ['https://example.com/concord/', 'https://example.com/concord/partners/ptr_1'],
  ['/console/api/', '/console/api/partners/ptr_1'],
  ['/', '/partners/ptr_1'],
  ['', '/partners/ptr_1'],
])('sends requests below the baseUrl %j', async (below, url) => {
  // As a browser does it with a path, which Node has no page for.
  vi.stubGlobal(
    'Request',
    class extends Request {
      constructor(input: string | Request, init?: RequestInit) {
        super(typeof input === 'string' ? new URL(input, baseUrl) : input, init);
      }
    },
  );
  const asked: string[] = [];
  const fetch: ConcordOptions['fetch'] = async (request) => {
    asked.push((request as Request).url.replace(baseUrl, ''));
    return Response.json({ id: 'ptr_1' });
  };
  try {
    await getPartner({
      client: createClient({ baseUrl: below, fetch, maxRetries: Number.POSITIVE_INFINITY }),
      path,
    });
  } finally {
    vi.unstubAllGlobals();
  }
  expect(asked).toEqual([url]);
});
