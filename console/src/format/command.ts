// What the console does, as a command for a terminal. Whatever stands in data, the shell reads it as text.

type Call = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  readonly origin?: string;
  /** The shell variable that holds the token. An access token has the scopes of its owner's choice. */
  readonly variable?: 'CONCORD_TOKEN' | 'CONCORD_SESSION';
};

/** For a POSIX shell, which reads nothing but the end between single quotes. */
export const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** JSON leaves these as they are, and a terminal without bracketed paste takes DEL as a key. */
const controls = /[\u007f-\u009f]/g;
const toJson = (value: unknown): string =>
  JSON.stringify(value).replace(controls, (character) => `\\u00${character.charCodeAt(0).toString(16)}`);

export function toCommand({
  method,
  path,
  body,
  origin = window.location.origin,
  variable = 'CONCORD_TOKEN',
}: Call): string {
  const methodOfCurl = body === undefined ? 'GET' : 'POST';
  return [
    `curl ${quote(origin + path)}`,
    ...(method === methodOfCurl ? [] : [`  --request ${method}`]),
    `  --header "Authorization: Bearer $${variable}"`,
    ...(body === undefined ? [] : [`  --json ${quote(toJson(body))}`]),
  ].join(' \\\n');
}

const example = { type: 'inventory.updated', environment: 'sandbox', data: { sku: 'NX-1', quantity: 12 } };

export const publishCommand = (partner: string, event: object = example): string =>
  toCommand({ method: 'POST', path: `/partners/${partner}/events`, body: event });
