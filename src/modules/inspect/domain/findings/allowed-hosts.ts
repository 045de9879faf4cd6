/**
 * Decides which private hosts are allowed: hosts that the operator lets the service fetch. The readers of its mail can
 * reach them, so they are no fault of a message.
 */
import type { Address } from '../email/address.js';
import type { RuleFinding } from './finding.js';

/** The private host of an address, for its finding; nothing if the host is not private. */
export function privateHostOf(address: Address): Pick<RuleFinding, 'privateHost'> {
  if (address.kind !== 'web' || address.trait !== 'private' || address.host === null) return {};
  return { privateHost: { name: address.host, port: address.port } };
}

/** The rules that report private hosts. */
const PRIVATE_HOST_RULES: ReadonlySet<RuleFinding['rule']> = new Set(['link_private', 'image_unreachable']);

/**
 * Whether a finding only says that a host is private, and that host is allowed.
 * @param allowed as in INSPECT_ALLOW_HOSTS: `host`, `host:port`, IPv6 without a port bare.
 */
export function isAllowed({ rule, privateHost }: RuleFinding, allowed: readonly string[]): boolean {
  if (!privateHost || !PRIVATE_HOST_RULES.has(rule)) return false;
  const { name, port } = privateHost;
  const host = name.replace(/\.$/, '');
  return allowed.includes(host.replace(/^\[(.*)\]$/, '$1')) || allowed.includes(`${host}:${port}`);
}
