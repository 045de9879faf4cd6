/** Explains the status of a domain in a message for its owner. */
import { usableUntil } from './domain-check.js';
import { findingOf, recordsOfDomain, type SendingDomain } from './sending-domain.js';

const STATE_LABELS = {
  missing: 'is missing',
  wrong: 'has a different value',
  unknown: 'could not be looked up',
} as const;

/** Why the domain is not verified; null if nothing is wrong. */
export function domainStatusReason(domain: SendingDomain, sharedDomain: string): string | null {
  if (domain.checkedAt === null) return 'The records have not been checked yet.';
  const problems = recordsOfDomain(domain, sharedDomain).flatMap((record) => {
    const { state } = findingOf(domain, record);
    return record.isRequired && state !== 'ok'
      ? [`the ${record.type} record of ${record.host} ${STATE_LABELS[state]}`]
      : [];
  });
  const until = usableUntil(domain);
  if (domain.isHeldElsewhere)
    return 'Another workspace has verified this domain. It must be removed there first.';
  if (problems.length === 0) return null;
  const text = `${problems.join('; ')}.`;
  const sentence = text.charAt(0).toUpperCase() + text.slice(1);
  return until ? `${sentence} Mail is sent from the domain until ${until.toISOString()}.` : sentence;
}
