/** The result of an erasure in GraphQL. */
import { Out, Output } from '../../../platform/output/output-class.js';
import type { ErasedContact } from '../application/contact-erasure.service.js';

@Output({ graphql: 'ErasedContact', description: 'What was erased. The contact is now anonymous.' })
export class ErasedContactOutput {
  @Out('ID') id: string;
  @Out('String', { description: 'The external ID of the anonymized contact.' }) externalId: string;
  @Out('Int', { description: 'Number of events whose content was removed.' }) events: number;
  @Out('Int', { description: 'Number of emails whose address and subject were removed.' }) emails: number;
  @Out('Int', { description: 'Number of current and past segment memberships.' }) segments: number;
  @Out('Int', { description: 'Number of trips from which personal values were removed.' }) trips: number;
  @Out('Int', { description: 'Number of suppressed addresses, now stored only as digests.' })
  suppressions: number;
  @Out('Int', { description: 'Number of erased preference records: 0 or 1.' }) preferences: number;
}

export function erasedContactOutput({ id, externalId, rows }: ErasedContact): ErasedContactOutput {
  const of = (what: string): number => rows.get(what) ?? 0;
  return {
    id,
    externalId,
    events: of('events'),
    emails: of('emails'),
    segments: of('segments'),
    trips: of('trips'),
    suppressions: of('suppressions'),
    preferences: of('preferences'),
  };
}
