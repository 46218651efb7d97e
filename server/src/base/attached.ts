/**
 * A value for each object that lives for one request, as a property of it. A WeakMap has a cost there: V8 keeps the
 * values of dead keys, and copies them, until it collects its old objects. Not for data: a comparison sees the
 * property.
 */
export function createAttached<Owner extends object, T>() {
  const key = Symbol();
  type Holder = Owner & { [key]?: T };
  return {
    get: (owner: Owner): T | undefined => (owner as Holder)[key],
    set(owner: Owner, value: T): void {
      (owner as Holder)[key] = value;
    },
  };
}
