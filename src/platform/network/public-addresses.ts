/**
 * Which addresses belong to the public internet. Code that connects to an address that a caller names must check it
 * here first. Private networks, the machine itself, cloud metadata services, and tunnels to any of these are not
 * public.
 */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The IPv6 range allocated for global unicast. Everything else is reserved, local or an encoding of IPv4. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
/** In the public range, but local to the machine: the Azure host agent, which serves secrets. */
const HOST_AGENT_ADDRESSES = new Set(['168.63.129.16']);

/**
 * Whether an address, as returned by DNS, is a host of the public internet. Addresses that embed IPv4 (mapped, NAT64,
 * 6to4, Teredo) are not, whatever they embed.
 */
export function isPublicAddress(text: string): boolean {
  // An address with a zone is on a link of this machine.
  if (isIP(text) === 0 || text.includes('%') || !ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast') return false;
  if (HOST_AGENT_ADDRESSES.has(address.toString())) return false;
  return address instanceof ipaddr.IPv4 || address.match(GLOBAL_UNICAST);
}
