// Checks of single options: each error says what to pass.

/** @throws {TypeError} Undefined is the default */
export function assertFunctions<Name extends string>(
  options: { readonly [name in Name]?: unknown },
  names: readonly Name[],
): void {
  for (const name of names)
    if (options[name] !== undefined && typeof options[name] !== 'function')
      throw new TypeError(`${name} must be a function`);
}

/** A timer that is longer ends at once. */
const longestTimeoutMs = 2_147_483_647;

/** @throws {RangeError} that names the first wrong one */
export function assertMilliseconds(durations: { readonly [name: string]: unknown }): void {
  for (const [name, value] of Object.entries(durations)) {
    const [min, max] = name === 'timeoutMs' ? [1, longestTimeoutMs] : [0, Number.POSITIVE_INFINITY];
    const isIn = (Number.isInteger(value) || value === max) && Number(value) >= min && Number(value) <= max;
    if (!isIn)
      throw new RangeError(`${name} must be an integer of milliseconds, ${min} to ${max}, and not ${value}`);
  }
}

/** @throws {TypeError} when the URL of `what` is missing or not https */
export function readHttpsUrl(what: string, options: { url: string; allowHttp?: boolean | undefined }): URL {
  const { url: text, allowHttp } = (options ?? {}) as Partial<typeof options>;
  const url = URL.canParse(String(text)) ? new URL(String(text)) : null;
  if (url?.protocol === 'https:' || (allowHttp && url?.protocol === 'http:')) return url;
  throw new TypeError(`url must be the URL of ${what}: https, or http with allowHttp`);
}
