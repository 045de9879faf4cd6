/** Result of an erasure in GraphQL. */
import { Field, ID, Int, ObjectType } from '@nestjs/graphql';
import type { ErasedContact } from '../application/contact-erasure.service.js';

@ObjectType('ErasedContact', { description: 'What was erased. The contact is now anonymous.' })
export class ErasedContactType {
  @Field(() => ID) id: string;
  @Field({ description: 'The external ID of the anonymized contact.' }) externalId: string;
  @Field(() => Int, { description: 'Number of events whose content was removed.' }) events: number;
  @Field(() => Int, { description: 'Number of emails whose address and subject were removed.' })
  emails: number;
  @Field(() => Int, { description: 'Number of current and past segment memberships.' }) segments: number;
  @Field(() => Int, { description: 'Number of trips from which personal values were removed.' })
  trips: number;
  @Field(() => Int, { description: 'Number of suppressed addresses, now stored only as digests.' })
  suppressions: number;
  @Field(() => Int, {
    description: 'Number of erased preference records: 0 or 1.',
  })
  preferences: number;
}

export function erasedContactTypeOf({ id, externalId, rows }: ErasedContact): ErasedContactType {
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
