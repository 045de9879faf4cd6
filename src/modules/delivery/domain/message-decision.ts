/**
 * The decision (send-decision) about a message of any origin. The sender uses it right before an attempt, and the API
 * uses it to answer a request with the expected outcome.
 */
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { ClaimedSend } from './claimed-send.js';
import { decideSend, type SendDecision, type SendInputs } from './send-decision.js';
import type { SendingDomains } from './sender-address.js';

/** What is known of a message, its contact, and the contact's opt-outs and choices. */
export type MessageInputs = Pick<
  ClaimedSend,
  | 'origin'
  | 'contentType'
  | 'options'
  | 'contact'
  | 'hasRefused'
  | 'suppressedFor'
  | 'objection'
  | 'refusedBy'
>;

/** What is known of the tenant. */
export type TenantInputs = Pick<SendInputs, 'workspace' | 'template' | 'domains'>;

export function decideOn(
  message: MessageInputs,
  { environment }: TenantScope,
  tenant: TenantInputs,
  now: Date,
): SendDecision {
  const { origin, contact, hasRefused, suppressedFor, contentType, options, objection, refusedBy } = message;
  const recipient = contact && {
    email: contact.email,
    subscriptionStatus: contact.subscriptionStatus,
    hasRefused,
    suppressedFor,
  };
  return decideSend(
    { ...tenant, environment, origin, contentType, options, contact: recipient, objection, refusedBy },
    now,
  );
}

/** The domains that mail can be sent from at a given time. */
export function sendingDomains(
  shared: string,
  own: { find(domain: string, now: Date): { readonly returnPath: string | null } | undefined },
  now: Date,
): SendingDomains {
  return { shared, own: (domain) => own.find(domain, now) };
}
