/**
 * From which address a message goes (section 9, release of 2026-09-01). Live mail goes from the workspace's own address
 * if its domain is verified, otherwise from the shared sending domain. Mail of the test environment goes from a sandbox
 * domain next to the shared one. Display name and reply-to are kept.
 */
import type { Environment } from '../../../kernel/tenant-scope.js';
import type { Sender } from '../../workspaces/domain/workspace.js';
import { atDomain, domainOf, normalAddress, type Mailbox } from './email-address.js';

export type ResolvedFrom =
  | {
      readonly kind: 'from';
      readonly from: Mailbox;
      readonly replyTo: string | null;
      /** The envelope's sender, which receives bounces. */
      readonly returnPath: string;
    }
  /** The address is malformed or empty; `field` is the sender's field that is wrong. */
  | { readonly kind: 'refused'; readonly field: 'from_email' | 'reply_to' };

/** The domains that mail can be sent from. */
export interface SendingDomains {
  /** SHARED_SENDING_DOMAIN. */
  readonly shared: string;
  /** Data about a verified domain of the workspace; undefined for any other domain. */
  readonly own: (domain: string) => { readonly returnPath: string | null } | undefined;
}

/** Local part of the address for workspaces without a sender. */
const DEFAULT_LOCAL_PART = 'no-reply';

/**
 * @param sender the workspace's sender; without `from_email`, the shared domain's own address is used.
 * @param fallbackName the display name if the sender has none.
 */
export function resolveFrom(
  sender: Sender,
  fallbackName: string,
  environment: Environment,
  domains: SendingDomains,
): ResolvedFrom {
  const address = normalAddress((sender.fromEmail ?? `${DEFAULT_LOCAL_PART}@${domains.shared}`).trim());
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
    // If no return path is set up, bounces go to the operator's servers.
    returnPath: atDomain(address, own?.returnPath ?? common),
  };
}
