/**
 * From a host to the addresses that may be connected to. A name is looked up once, each address of the answer is judged, and
 * the connection goes to the very address that was judged: what the name says a moment later changes nothing. Gate S9.
 */
import { lookup, Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { isPublicAddress } from '../network/public-addresses.js';
import type { AllowedHosts } from './allowed-hosts.js';
import { OutboundError } from './outbound-error.js';
import { isWebPort, type Target } from './target.js';

/**
 * Gives the addresses of a name; rejects where it has none, and where the signal gives it up.
 * @param isAllowed whether an operator allows the name, private or not.
 */
export type Lookup = (host: string, signal: AbortSignal, isAllowed: boolean) => Promise<readonly string[]>;

/** How many addresses of a host are tried. */
const MOST_TRIES = 3;

/** Whether an address that a host has may be connected to. */
export function mayConnect(
  { host, port }: Pick<Target, 'host' | 'port'>,
  address: string,
  allowed: AllowedHosts,
): boolean {
  if (!isWebPort(port) && !allowed.names(host, port)) return false;
  return allowed.has(host, port) || allowed.has(address, port) || isPublicAddress(address);
}

/**
 * The addresses to connect to, in the order in which they are to be tried.
 * @throws OutboundError refused_port, dns_failed, refused_private.
 */
export async function addressesOf(
  { host, port }: Pick<Target, 'host' | 'port'>,
  allowed: AllowedHosts,
  lookUp: Lookup,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (!isWebPort(port) && !allowed.names(host, port))
    throw new OutboundError('refused_port', `Port ${port} is not allowed.`);
  const found = isIP(host) > 0 ? [host] : await named(host, allowed, lookUp, signal);
  const open = found.filter((address) => mayConnect({ host, port }, address, allowed));
  if (open.length === 0)
    throw new OutboundError('refused_private', `${host} resolves to ${found.join(', ')}.`);
  return inTurns(open).slice(0, MOST_TRIES);
}

async function named(
  host: string,
  allowed: AllowedHosts,
  lookUp: Lookup,
  signal: AbortSignal,
): Promise<readonly string[]> {
  let found: readonly string[];
  try {
    found = (await lookUp(host, signal, allowed.hasName(host))).filter((address) => isIP(address) > 0);
  } catch (error) {
    throw new OutboundError('dns_failed', `${host} could not be resolved.`, { cause: error });
  }
  if (found.length === 0) throw new OutboundError('dns_failed', `${host} resolves to no address.`);
  return found;
}

/** IPv4 and IPv6 by turns: where one of them leads nowhere, the other is next. */
function inTurns(addresses: readonly string[]): string[] {
  const [first = ''] = addresses;
  const one = addresses.filter((address) => isIP(address) === isIP(first));
  const other = addresses.filter((address) => isIP(address) !== isIP(first));
  return one
    .flatMap((address, index) => [address, ...other.slice(index, index + 1)])
    .concat(other.slice(one.length));
}

/** Of one try at one server, in milliseconds. */
const DNS_TIMEOUT = 1_500;
const DNS_TRIES = 2;

/**
 * Looks names up in the DNS. Those that an operator allows are looked up by the machine's own means too (its file of hosts)
 * where the DNS does not know them; no others are, since that occupies threads of the process for as long as a server is
 * silent.
 * @param servers as DNS_SERVERS has them; those of the machine where there are none.
 */
export function dnsLookup(servers: readonly string[]): Lookup {
  return async (host, signal, isAllowed) => {
    signal.throwIfAborted();
    // One for each name: what is given up ends nobody else's.
    const resolver = new Resolver({ timeout: DNS_TIMEOUT, tries: DNS_TRIES });
    if (servers.length > 0) resolver.setServers(servers);
    const cancel = (): void => resolver.cancel();
    signal.addEventListener('abort', cancel);
    try {
      const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
      const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
      if (found.length > 0) return found;
      const silent = answers.find((answer) => answer.status === 'rejected' && !isUnknown(answer.reason));
      if (silent?.status === 'rejected') throw silent.reason;
    } finally {
      signal.removeEventListener('abort', cancel);
    }
    if (!isAllowed) return [];
    return (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address);
  };
}

function isUnknown(error: unknown): boolean {
  return ['ENOTFOUND', 'ENODATA'].includes((error as NodeJS.ErrnoException).code ?? '');
}
