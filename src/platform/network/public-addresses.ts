/**
 * Which addresses belong to the public internet. Whoever connects to what a caller names asks here first: all that leads
 * into a house, to a machine itself, to metadata of clouds, or through a tunnel to any of them, is not public.
 */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** What IPv6 has given out for unicast; all else is reserved, local or a way of writing IPv4. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
/** Within the public space, yet a machine's own: the host agent of Azure, which serves secrets. */
const OF_THE_HOST = new Set(['168.63.129.16']);

/**
 * Whether an address, as DNS gives it, is one host's of the public internet. Addresses that carry IPv4 within (mapped,
 * NAT64, 6to4, Teredo) are not, whatever they carry.
 */
export function isPublicAddress(text: string): boolean {
  // With a zone it is one of this machine's links.
  if (isIP(text) === 0 || text.includes('%') || !ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast') return false;
  if (OF_THE_HOST.has(address.toString())) return false;
  return address instanceof ipaddr.IPv4 || address.match(GLOBAL_UNICAST);
}
