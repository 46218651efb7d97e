// The path of an operation, with its parameters.

/**
 * `/partners/{id}` with the value of each parameter, encoded as one segment.
 * @throws TypeError when a value is no text or number, or is empty, `.` or `..`: the URL would be that of
 * another operation
 */
export const fillPath = (template: string, path: Readonly<Record<string, unknown>> = {}): string =>
  template.replace(/\{([^{}]+)\}/g, (_, name: string) => {
    const value = path[name];
    const text = typeof value === 'number' ? String(value) : value;
    // The URL standard removes these segments before a request is sent.
    if (typeof text !== 'string' || ['', '.', '..'].includes(text))
      throw new TypeError(`path.${name} must be a text other than "", "." and ".."`);
    return encodeURIComponent(text);
  });
