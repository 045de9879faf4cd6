/** What an erasure has come to. */
import { Field, ID, Int, ObjectType } from '@nestjs/graphql';
import type { ErasedContact } from '../application/contact-erasure.service.js';

@ObjectType('ErasedContact', { description: 'What was erased, in numbers; the contact is anonymous now.' })
export class ErasedContactType {
  @Field(() => ID) id: string;
  @Field({ description: 'What the contact is called now.' }) externalId: string;
  @Field(() => Int, { description: 'Events whose content was removed.' }) events: number;
  @Field(() => Int, { description: 'Emails whose address and subject were removed.' }) emails: number;
  @Field(() => Int, { description: 'Memberships in segments, present and past.' }) segments: number;
  @Field(() => Int, { description: 'Trips from which the values that decided them were removed.' })
  trips: number;
  @Field(() => Int, { description: 'Suppressed addresses that are kept as digests alone.' })
  suppressions: number;
  @Field(() => Int, {
    description: 'Choices of promotional mail that were removed: those of one contact, or none.',
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
