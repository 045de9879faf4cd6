/**
 * IP address logic: whether an address is in a list of networks, which client is behind a chain of proxies, and which
 * addresses count as one client.
 */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { networkParts } from './network-parts.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** An address and the number of its significant leading bits. */
export type Network = readonly [address: Address, prefix: number];

/** The IPv6 prefix length that counts as one client. */
const CLIENT_PREFIX_BITS = 64;
/** IPv4-mapped IPv6, `::ffff:0:0/96`. */
const MAPPED_BITS = 96;

/** Parses an address, or a network such as `10.0.0.0/8`; undefined if the text is neither. */
export function networkFrom(text: string): Network | undefined {
  const parts = networkParts(text);
  if (!parts) return undefined;
  const { prefix } = parts;
  const address = parsed(parts.host);
  if (!address) return undefined;
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && prefix >= MAPPED_BITS
    ? [address.toIPv4Address(), prefix - MAPPED_BITS]
    : [address, prefix];
}

/** Whether an address is in one of the networks. IPv4-mapped IPv6 addresses count as IPv4. */
export function isWithin(text: string, networks: readonly Network[]): boolean {
  const address = addressFrom(text);
  return address !== undefined && networks.some((network) => holds(network, address));
}

/**
 * The client of a request: the last address in the chain that is not a trusted proxy.
 * @param peer the remote address of the connection.
 * @param forwardedFor the header X-Forwarded-For, to which each proxy appends the address it received the request from.
 * @returns the network to count: an IPv4 address, or the first 64 bits of an IPv6 address.
 */
export function clientNetwork(peer: string, forwardedFor: string, proxies: readonly Network[]): string {
  let client = addressFrom(peer);
  if (!client) return 'unknown';
  const hops = proxies.length > 0 && forwardedFor !== '' ? forwardedFor.split(',') : [];
  while (hops.length > 0 && proxies.some((network) => holds(network, client as Address))) {
    // A value that is not an address did not come from a trusted proxy: count the proxy that passed it on.
    const next = addressFrom(withoutPort(hops.pop()?.trim() ?? ''));
    if (!next) break;
    client = next;
  }
  return client instanceof ipaddr.IPv6 ? clientPrefixOf(client) : client.toString();
}

function addressFrom(text: string): Address | undefined {
  const address = parsed(text);
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

/**
 * Requires both parsers to agree, because each accepts forms that the other rejects: `10.1` for one, `fe80::1%a-b` for
 * the other.
 */
function parsed(text: string): Address | undefined {
  return isIP(text) > 0 && ipaddr.isValid(text) ? ipaddr.parse(text) : undefined;
}

function holds([network, prefix]: Network, address: Address): boolean {
  return address.kind() === network.kind() && address.match(network, prefix);
}

/** `192.0.2.1:4711` and `[2001:db8::1]:4711`, as some load balancers write it. */
function withoutPort(text: string): string {
  const [, six, four] = /^(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)$/.exec(text) ?? [];
  return six ?? four ?? text;
}

function clientPrefixOf(address: ipaddr.IPv6): string {
  const groups = address.parts.slice(0, CLIENT_PREFIX_BITS / 16).map((group) => group.toString(16));
  return `${groups.join(':')}::/${CLIENT_PREFIX_BITS}`;
}
