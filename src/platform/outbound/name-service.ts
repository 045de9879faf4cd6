/**
 * Resolves a host to the addresses that may be connected to. A name is resolved once, each address is checked, and the
 * connection goes to exactly the checked address, so that DNS rebinding has no effect. Gate S9.
 */
import { lookup, Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { isPublicAddress } from '../network/public-addresses.js';
import type { AllowedHosts } from './allowed-hosts.js';
import { OutboundError } from './outbound-error.js';
import { isWebPort, type Target } from './target.js';

/**
 * Resolves a name to addresses. Rejects if it has none, and if the signal aborts.
 * @param isAllowed whether the operator allows the name, private or not.
 */
export type Lookup = (host: string, signal: AbortSignal, isAllowed: boolean) => Promise<readonly string[]>;

/** Maximum addresses of a host to try. */
const MAX_ADDRESSES = 3;

/** Whether the service may connect to an address of a host. */
export function mayConnect(
  { host, port }: Pick<Target, 'host' | 'port'>,
  address: string,
  allowed: AllowedHosts,
): boolean {
  if (!isWebPort(port) && !allowed.names(host, port)) return false;
  return allowed.has(host, port) || allowed.has(address, port) || isPublicAddress(address);
}

/**
 * The addresses to connect to, in the order in which to try them.
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
  const found = isIP(host) > 0 ? [host] : await resolveName(host, allowed, lookUp, signal);
  const open = found.filter((address) => mayConnect({ host, port }, address, allowed));
  if (open.length === 0)
    throw new OutboundError('refused_private', `${host} resolves to ${found.join(', ')}.`);
  return alternateFamilies(open).slice(0, MAX_ADDRESSES);
}

async function resolveName(
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

/** Alternates IPv4 and IPv6: if one is unreachable, the other is next. */
function alternateFamilies(addresses: readonly string[]): string[] {
  const [first = ''] = addresses;
  const one = addresses.filter((address) => isIP(address) === isIP(first));
  const other = addresses.filter((address) => isIP(address) !== isIP(first));
  return one
    .flatMap((address, index) => [address, ...other.slice(index, index + 1)])
    .concat(other.slice(one.length));
}

/** Timeout of one query to one server, in milliseconds. */
const DNS_TIMEOUT_MS = 1_500;
const DNS_TRIES = 2;

/**
 * Resolves names with DNS. Names that the operator allows are also resolved with the system's resolver (its hosts file)
 * if DNS does not know them. No other names are, because the system's resolver blocks threads of the process while a
 * server does not respond.
 * @param servers in the format of DNS_SERVERS; the system's servers if empty.
 */
export function dnsLookup(servers: readonly string[]): Lookup {
  return async (host, signal, isAllowed) => {
    signal.throwIfAborted();
    // One resolver per name: cancelling it must not cancel other lookups.
    const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: DNS_TRIES });
    if (servers.length > 0) resolver.setServers(servers);
    const cancel = (): void => resolver.cancel();
    signal.addEventListener('abort', cancel);
    try {
      const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
      const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
      if (found.length > 0) return found;
      const failed = answers.find((answer) => answer.status === 'rejected' && !isUnknown(answer.reason));
      if (failed?.status === 'rejected') throw failed.reason;
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
