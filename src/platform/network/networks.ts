/**
 * Addresses of the internet as the house counts them: whether one is of a list, who stands behind a list of proxies,
 * and which of them are one household.
 */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { networkParts } from './network-parts.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** An address and how many of its leading bits count. */
export type Network = readonly [address: Address, prefix: number];

/** How much of an IPv6 address one household has in common. */
const HOUSEHOLD_BITS = 64;
/** IPv4 within IPv6, `::ffff:0:0/96`. */
const MAPPED_BITS = 96;

/** Reads an address, or a network such as `10.0.0.0/8`; undefined when the text is neither. */
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

/** Whether an address is of one of the networks; IPv4 written as IPv6 is IPv4. */
export function isWithin(text: string, networks: readonly Network[]): boolean {
  const address = addressFrom(text);
  return address !== undefined && networks.some((network) => holds(network, address));
}

/**
 * Who sent a request: the last address of those that it came by which is no trusted proxy's.
 * @param peer the other end of the connection.
 * @param forwardedFor the header X-Forwarded-For, to which each proxy appends whom it has spoken with.
 * @returns the network that is counted: an IPv4 address, or the first 64 bits of an IPv6 one.
 */
export function clientNetwork(peer: string, forwardedFor: string, proxies: readonly Network[]): string {
  let client = addressFrom(peer);
  if (!client) return 'unknown';
  const hops = proxies.length > 0 && forwardedFor !== '' ? forwardedFor.split(',') : [];
  while (hops.length > 0 && proxies.some((network) => holds(network, client as Address))) {
    // What is no address was written by nobody whom we trust: the proxy that passed it on is counted.
    const next = addressFrom(withoutPort(hops.pop()?.trim() ?? ''));
    if (!next) break;
    client = next;
  }
  return client instanceof ipaddr.IPv6 ? householdOf(client) : client.toString();
}

function addressFrom(text: string): Address | undefined {
  const address = parsed(text);
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

/** Each of the two takes what the other does not: `10.1` is an address to one, `fe80::1%a-b` to the other. */
function parsed(text: string): Address | undefined {
  return isIP(text) > 0 && ipaddr.isValid(text) ? ipaddr.parse(text) : undefined;
}

function holds([network, prefix]: Network, address: Address): boolean {
  return address.kind() === network.kind() && address.match(network, prefix);
}

/** `192.0.2.1:4711` and `[2001:db8::1]:4711`, as some balancers write it. */
function withoutPort(text: string): string {
  const [, six, four] = /^(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)$/.exec(text) ?? [];
  return six ?? four ?? text;
}

function householdOf(address: ipaddr.IPv6): string {
  const groups = address.parts.slice(0, HOUSEHOLD_BITS / 16).map((group) => group.toString(16));
  return `${groups.join(':')}::/${HOUSEHOLD_BITS}`;
}
