// The addresses that count as one.
import ipaddr from 'ipaddr.js';

/**
 * One home or host has a whole IPv6 /64, so these addresses count as one. Some proxies add a port. Texts that are no
 * address count as one too.
 */
export function addressGroup(text: string): string {
  const ip = /^\[(.*)\](?::\d+)?$|^([\d.]+):\d+$/.exec(text)?.slice(1).find(Boolean) ?? text;
  if (!ipaddr.isValid(ip)) return 'unknown';
  const address = ipaddr.process(ip);
  return address.kind() === 'ipv4'
    ? address.toString()
    : ipaddr.fromByteArray([...address.toByteArray().slice(0, 8), 0, 0, 0, 0, 0, 0, 0, 0]).toString();
}
