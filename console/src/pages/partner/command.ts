// The same as a button of the console, as a command.

/** With curl, for an access token in `CONCORD_TOKEN`. */
export const command = (method: 'POST' | 'PUT' | 'PATCH', path: string, body: object): string =>
  [
    `curl -X ${method} ${window.location.origin}${path} \\`,
    `  -H "Authorization: Bearer $CONCORD_TOKEN" \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '${JSON.stringify(body)}'`,
  ].join('\n');
