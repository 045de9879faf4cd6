/**
 * The decision (send-decision) on a message of any origin, asked in one way: by whoever is about to send it, and by whoever
 * takes a request for it and tells at once what will come of it.
 */
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { ClaimedSend } from './claimed-send.js';
import { decideSend, type SendDecision, type SendFacts } from './send-decision.js';
import type { SendingDomains } from './sender-address.js';

/** What is known of a message, of its contact, and of what its contact has said. */
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

/** The domains that mail may go from at a moment. */
export function sendingDomains(
  shared: string,
  own: { find(domain: string, now: Date): { readonly returnPath: string | null } | undefined },
  now: Date,
): SendingDomains {
  return { shared, own: (domain) => own.find(domain, now) };
}
