// Where a webhook may go: the URLs that an endpoint may have, and the addresses to connect to (behaviour
// W21).
import { BlockList, isIP } from 'node:net';

/**
 * Every special-purpose range (IANA, RFC 6890 and its successors), multicast, and Azure's address for its
 * virtual machines.
 */
const refusedIpv4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '168.63.129.16/32',
];
/**
 * Only global unicast is allowed, without its special-purpose ranges. That excludes mapped, translated,
 * link-local and unique local.
 */
const globalIpv6 = ['2000::/3'];
const refusedIpv6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20', '2620:4f:8000::/48'];

/** As in the database. */
const maxUrlLength = 2_048;

export type Destinations = {
  /** @throws DestinationError if no webhook may go to this URL */
  parseUrl(text: string): URL;
  /**
   * Refuses texts too that programs read in different ways, since a receiver must know the exact `href`.
   * @throws DestinationError if a new endpoint may not have this URL
   */
  parseNewUrl(text: string): URL;
  /** Whether webhooks may go to this IP address, given without brackets. */
  allows(address: string): boolean;
};

/** Its message is public, and follows the name of the URL: `must be ...`. */
export class DestinationError extends Error {}

type Options = {
  /** Allowed in addition to public addresses. */
  allowedCidrs: readonly string[];
  allowHttp: boolean;
};

export function createDestinations({ allowedCidrs, allowHttp }: Options): Destinations {
  const [refused, global, allowed] = [
    toList([...refusedIpv4, ...refusedIpv6]),
    toList(globalIpv6),
    toList(allowedCidrs),
  ];

  function allows(address: string): boolean {
    const version = isIP(address);
    // A zone index selects a network link of this machine, which no URL may do.
    if (version === 0 || address.includes('%')) return false;
    const family = version === 4 ? 'ipv4' : 'ipv6';
    if (allowed.check(address, family)) return true;
    return !refused.check(address, family) && (version === 4 || global.check(address, family));
  }

  function parseUrl(text: string): URL {
    const url = URL.parse(text);
    if (!url) throw new DestinationError('must be an absolute URL');
    if (url.protocol !== 'https:' && !(allowHttp && url.protocol === 'http:')) {
      throw new DestinationError(
        allowHttp
          ? 'must be an https or http URL'
          : 'must be an https URL, unless CONCORD_WEBHOOK_ALLOW_HTTP allows http',
      );
    }
    if (url.username !== '' || url.password !== '')
      throw new DestinationError('must not contain credentials');
    if (url.hash !== '' || text.includes('#')) throw new DestinationError('must not have a fragment');
    if (url.port === '0') throw new DestinationError('must not have port 0');
    const literal = literalOf(url);
    if (literal !== null && !allows(literal))
      throw new DestinationError(
        'must not be an address in a private or special-purpose range, unless CONCORD_WEBHOOK_ALLOWED_CIDRS allows it',
      );
    return url;
  }

  function parseNewUrl(text: string): URL {
    if (/[\0-\x20\x7f\\|{}^`]/.test(text))
      throw new DestinationError(
        'must not contain spaces, control characters or any of \\ | { } ^ `; percent-encode them',
      );
    if (/%(?![0-9a-f]{2})/i.test(text))
      throw new DestinationError('must have two hexadecimal digits after each %');
    const url = parseUrl(text);
    // The parser drops an empty user and password.
    const [authority = ''] = text.replace(/^[^:]*:\/*/, '').split(/[/?]/, 1);
    if (authority.includes('@')) throw new DestinationError('must not contain credentials');
    if (url.href.length > maxUrlLength)
      throw new DestinationError(
        `must have at most ${maxUrlLength} characters when it is encoded; it has ${url.href.length}`,
      );
    return url;
  }

  return { allows, parseUrl, parseNewUrl };
}

/** For URLs to which Concord itself sends nothing. */
export const anywhere = createDestinations({ allowedCidrs: ['0.0.0.0/0', '::/0'], allowHttp: true });

/**
 * The IP address in a URL, or null if the URL has a name. The URL parser has already normalised octal and
 * other spellings.
 */
export function literalOf({ hostname }: URL): string | null {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  return isIP(bare) === 0 ? null : bare;
}

function toList(cidrs: readonly string[]): BlockList {
  const list = new BlockList();
  for (const cidr of cidrs) {
    const [address = '', bits] = cidr.split('/');
    const version = isIP(address);
    list.addSubnet(
      address,
      bits === undefined ? (version === 4 ? 32 : 128) : Number(bits),
      version === 4 ? 'ipv4' : 'ipv6',
    );
  }
  return list;
}
