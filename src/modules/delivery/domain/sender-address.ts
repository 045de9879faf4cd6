/**
 * From which address a message goes (section 9, release of 2026-09-01): no workspace has a verified domain of its
 * own yet, so live mail goes from the shared sending domain and mail of the test environment from a sandbox domain
 * beside it; display name and reply-to are kept.
 */
import type { Environment } from '../../../kernel/tenant-scope.js';
import type { Sender } from '../../workspaces/domain/workspace.js';
import { atDomain, normalAddress, type Mailbox } from './email-address.js';

export type ResolvedFrom =
  | { readonly kind: 'from'; readonly from: Mailbox; readonly replyTo: string | null }
  /** The address is malformed or empty; `field` is the sender's field that is wrong. */
  | { readonly kind: 'refused'; readonly field: 'from_email' | 'reply_to' };

/** Local part of the address of workspaces that name no sender. */
const NAMELESS = 'no-reply';

/**
 * @param sender the workspace's sender; without `from_email` the shared domain's own address is used.
 * @param fallbackName display name when the sender has none.
 * @param sharedDomain SHARED_SENDING_DOMAIN.
 */
export function resolveFrom(
  sender: Sender,
  fallbackName: string,
  environment: Environment,
  sharedDomain: string,
): ResolvedFrom {
  const address = normalAddress((sender.fromEmail ?? `${NAMELESS}@${sharedDomain}`).trim());
  if (address === undefined) return { kind: 'refused', field: 'from_email' };
  const replyTo = sender.replyTo === undefined ? null : normalAddress(sender.replyTo.trim());
  if (replyTo === undefined) return { kind: 'refused', field: 'reply_to' };
  const domain = environment === 'live' ? sharedDomain : `sandbox.${sharedDomain}`;
  const name = (sender.fromName ?? '').trim() || fallbackName;
  return { kind: 'from', from: { address: atDomain(address, domain), name }, replyTo };
}
