// What the console does, as a command for a terminal.

type Call = { readonly method?: 'POST' | 'PATCH' | 'DELETE'; readonly path: string; readonly body?: unknown };

/** The token is a variable of the shell: an access token has the scopes of its owner's choice. */
export function toCommand({ method = 'POST', path, body }: Call): string {
  return [
    `curl ${window.location.origin}${path}`,
    ...(body === undefined || method !== 'POST' ? [`  --request ${method}`] : []),
    '  --header "Authorization: Bearer $CONCORD_TOKEN"',
    ...(body === undefined ? [] : [`  --json '${JSON.stringify(body)}'`]),
  ].join(' \\\n');
}
