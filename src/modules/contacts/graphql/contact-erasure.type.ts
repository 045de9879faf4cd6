/** What an erasure has come to. */
import { Field, ID, Int, ObjectType } from '@nestjs/graphql';

@ObjectType('ErasedContact', { description: 'What was erased, in numbers; the contact is anonymous now.' })
export class ErasedContactType {
  @Field(() => ID) id: string;
  @Field({ description: 'What the contact is called now.' }) externalId: string;
  @Field(() => Int, { description: 'Events whose content was removed.' }) events: number;
  @Field(() => Int, { description: 'Emails whose address and subject were removed.' }) emails: number;
  @Field(() => Int, { description: 'Memberships in segments, present and past.' }) segments: number;
}
