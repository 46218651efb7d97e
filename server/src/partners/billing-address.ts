// The billing address of a partner. It accepts any JSON value, and names the parts that it ignores.
import { escapePointer } from '../base/http/faults.ts';
import { isObject } from '../base/http/schemas.ts';
import { addressTexts, coordinates } from './columns.ts';

/** A number, or one of the three values that JSON cannot write as a number. No range is checked. */
export type Coordinate = number | 'NaN' | 'Infinity' | '-Infinity';

export type BillingAddress = Record<(typeof addressTexts)[number], string | null> &
  Record<(typeof coordinates)[number], Coordinate | null>;

const maxLength = 255;

export const emptyAddress = Object.fromEntries(
  [...addressTexts, ...coordinates].map((part) => [part, null]),
) as BillingAddress;

/**
 * Merges a value into an address (RFC 7396): null clears the address, an object sets the members that it has.
 * Unknown members and invalid values change nothing; `ignored` lists them as JSON pointers (RFC 6901).
 */
export function mergeAddress(
  current: BillingAddress,
  value: unknown,
): { address: BillingAddress; ignored: string[] } {
  if (value === null) return { address: emptyAddress, ignored: [] };
  if (!isObject(value)) return { address: current, ignored: ['/billing_address'] };

  const address = { ...current };
  const ignored: string[] = [];
  for (const [member, part] of Object.entries(value)) {
    const textPart = addressTexts.find((name) => name === member);
    const coordinatePart = coordinates.find((name) => name === member);
    if (textPart && isText(part)) address[textPart] = part;
    else if (coordinatePart && isCoordinate(part)) address[coordinatePart] = canonical(part);
    else ignored.push(`/billing_address/${escapePointer(member)}`);
  }
  return { address, ignored };
}

function isText(value: unknown): value is string | null {
  if (value === null) return true;
  if (typeof value !== 'string' || !value.isWellFormed() || value.includes('\0')) return false;
  // A text never has more code points than UTF-16 units, so short texts need no counting.
  return value.length <= maxLength || [...value].length <= maxLength;
}

function isCoordinate(value: unknown): value is Coordinate | null {
  return (
    value === null ||
    typeof value === 'number' ||
    value === 'NaN' ||
    value === 'Infinity' ||
    value === '-Infinity'
  );
}

/** JSON.parse reads `1e400` as Infinity, which JSON can only carry as text. Negative zero becomes zero. */
function canonical(value: Coordinate | null): Coordinate | null {
  if (typeof value !== 'number') return value;
  return Number.isFinite(value) ? value + 0 : (String(value) as Coordinate);
}
