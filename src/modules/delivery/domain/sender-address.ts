/**
 * From which address a message goes (section 9, release of 2026-09-01): live mail from the workspace's own address where
 * its domain is verified, else from the shared sending domain, and mail of the test environment from a sandbox domain
 * beside that; display name and reply-to are kept.
 */
import type { Environment } from '../../../kernel/tenant-scope.js';
import type { Sender } from '../../workspaces/domain/workspace.js';
import { atDomain, domainOf, normalAddress, type Mailbox } from './email-address.js';

export type ResolvedFrom =
  | {
      readonly kind: 'from';
      readonly from: Mailbox;
      readonly replyTo: string | null;
      /** The envelope's sender, whom bounces are sent to. */
      readonly returnPath: string;
    }
  /** The address is malformed or empty; `field` is the sender's field that is wrong. */
  | { readonly kind: 'refused'; readonly field: 'from_email' | 'reply_to' };

/** The domains that mail may go from. */
export interface SendingDomains {
  /** SHARED_SENDING_DOMAIN. */
  readonly shared: string;
  /** What is known of a domain of the workspace's own that is verified; undefined of every other. */
  readonly own: (domain: string) => { readonly returnPath: string | null } | undefined;
}

/** Local part of the address of workspaces that name no sender. */
const NAMELESS = 'no-reply';

/**
 * @param sender the workspace's sender; without `from_email` the shared domain's own address is used.
 * @param fallbackName display name when the sender has none.
 */
export function resolveFrom(
  sender: Sender,
  fallbackName: string,
  environment: Environment,
  domains: SendingDomains,
): ResolvedFrom {
  const address = normalAddress((sender.fromEmail ?? `${NAMELESS}@${domains.shared}`).trim());
  if (address === undefined) return { kind: 'refused', field: 'from_email' };
  const replyTo = sender.replyTo === undefined ? null : normalAddress(sender.replyTo.trim());
  if (replyTo === undefined) return { kind: 'refused', field: 'reply_to' };
  const name = (sender.fromName ?? '').trim() || fallbackName;
  const own = environment === 'live' ? domains.own(domainOf(address)) : undefined;
  const common = environment === 'live' ? domains.shared : `sandbox.${domains.shared}`;
  return {
    kind: 'from',
    from: { address: own ? address : atDomain(address, common), name },
    replyTo,
    // Bounces that nobody has set up a way for go where the operator's servers are.
    returnPath: atDomain(address, own?.returnPath ?? common),
  };
}
