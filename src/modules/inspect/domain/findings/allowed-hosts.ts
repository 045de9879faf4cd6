/** Private hosts that the operator lets be fetched: those who read its mail reach them, so that they are no fault of a message. */
import type { Address } from '../email/address.js';
import type { RuleFinding } from './finding.js';

/** What a finding about an address says of its host; nothing where that is not private. */
export function ofPrivateHost(address: Address): Pick<RuleFinding, 'privateHost'> {
  if (address.kind !== 'web' || address.trait !== 'private' || address.host === null) return {};
  return { privateHost: { name: address.host, port: address.port } };
}

/** The rules that say that a host is private. */
const OF_PRIVATE_HOSTS: ReadonlySet<RuleFinding['rule']> = new Set(['link_private', 'image_unreachable']);

/**
 * Whether a finding says nothing but that a host is private which may be fetched.
 * @param allowed as INSPECT_ALLOW_HOSTS has them: `host`, `host:port`, IPv6 without a port bare.
 */
export function isAllowed({ rule, privateHost }: RuleFinding, allowed: readonly string[]): boolean {
  if (!privateHost || !OF_PRIVATE_HOSTS.has(rule)) return false;
  const { name, port } = privateHost;
  const host = name.replace(/\.$/, '');
  return allowed.includes(host.replace(/^\[(.*)\]$/, '$1')) || allowed.includes(`${host}:${port}`);
}
