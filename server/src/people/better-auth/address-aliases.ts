// better-auth takes no password for some addresses, such as `a&b@c.example` and `a@b.xn--p1ai`. So it gets an alias of
// each, for which hashed-tokens.ts finds the user of the address.
import { randomBytes } from 'node:crypto';

/** Known to this process alone, so nobody else can send an alias. */
const end = `@${randomBytes(16).toString('hex')}.invalid`;

export const toAlias = (address: string) => Buffer.from(address).toString('hex') + end;

/** Any other value is returned as it is. */
export const fromAlias = <T>(value: T): T | string =>
  typeof value === 'string' && value.endsWith(end)
    ? Buffer.from(value.slice(0, -end.length), 'hex').toString()
    : value;
