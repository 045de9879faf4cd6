/**
 * The decision (send-decision) about a message of any origin. The sender uses it right before an attempt, and the API
 * uses it to answer a request with the expected outcome.
 */
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { ClaimedSend } from './claimed-send.js';
import { decideSend, type SendDecision, type SendFacts } from './send-decision.js';
import type { SendingDomains } from './sender-address.js';

/** What is known of a message, its contact, and the contact's opt-outs and choices. */
export type DecidedMessage = Pick<
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
export type TenantFacts = Pick<SendFacts, 'workspace' | 'template' | 'domains'>;

export function decideOn(
  message: DecidedMessage,
  { environment }: TenantScope,
  tenant: TenantFacts,
  now: Date,
): SendDecision {
  const { origin, contact, hasRefused, suppressedFor, contentType, options, objection, refusedBy } = message;
  const person = contact && {
    email: contact.email,
    subscriptionStatus: contact.subscriptionStatus,
    hasRefused,
    suppressedFor,
  };
  return decideSend(
    { ...tenant, environment, origin, contentType, options, contact: person, objection, refusedBy },
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
