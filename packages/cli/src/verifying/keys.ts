// The keys that verify a request: of a file, or of a URL.
import { createKeyCache, type Keys } from '@concord/webhook-receiver';
import { fetchWithoutRedirects } from '../context.ts';
import { CliError } from '../exits.ts';
import { readNamed } from '../read-json.ts';
import { reasonOf } from '../report.ts';
import { requireSafe, toHttpUrl } from '../settings.ts';

/** `source`: a file or a URL. `onInvalid`: what is wrong with single keys, which are not used. */
export async function openKeys(
  source: string,
  allowHttp: boolean,
  onInvalid: (text: string) => void,
): Promise<Keys> {
  const onInvalidKeys = (error: unknown) => onInvalid(error instanceof Error ? error.message : String(error));
  if (/^https?:\/\//.test(source)) {
    const url = toHttpUrl(source, '--jwks', 'https://concord.example.com/.well-known/jwks.json');
    requireSafe(url, allowHttp);
    const fetch = (address: string, init: RequestInit) => fetchWithoutRedirects(address, init);
    return createKeyCache({ url: url.href, allowHttp: true, onInvalidKeys, fetch });
  }
  const text = (await readNamed(source, 'The file of keys')).toString();
  const keys = createKeyCache({
    url: 'https://keys.invalid/',
    onInvalidKeys,
    fetch: async () => new Response(text),
  });
  // Reads them now: later the file is no longer known.
  await keys.findKey('').catch((error: unknown) => {
    throw new CliError('usage', `${source} has no keys${reasonOf(error)}`, { cause: error });
  });
  return keys;
}
