/** Topics and preferences as the dashboard sees them. */
import { Field, GraphQLISODateTime, ID, ObjectType } from '@nestjs/graphql';
import { connection, edge } from '../../../platform/graphql/connection.js';
import { JsonScalar } from '../../../platform/input/json.scalar.js';
import { CHANGE_KINDS, CHANGE_WAYS } from '../domain/preference-change.js';

@ObjectType('Topic', { description: 'What promotional mail can be about, for people to choose.' })
export class TopicType {
  @Field({ description: 'Unique in the workspace, and fixed.' }) key: string;
  @Field() name: string;
  @Field() description: string;
  @Field(() => JsonScalar, { description: 'The name by language.' }) names: object;
  @Field(() => JsonScalar, { description: 'The description by language.' }) descriptions: object;
  @Field({ description: 'Whether people who have chosen nothing receive it; fixed.' })
  isSubscribedByDefault: boolean;
  @Field() isArchived: boolean;
  @Field(() => GraphQLISODateTime) createdAt: Date;
  @Field(() => GraphQLISODateTime) updatedAt: Date;
}

@ObjectType('TopicPreference')
export class TopicPreferenceType {
  @Field(() => TopicType) topic: TopicType;
  @Field({ description: 'By choice, or else by default.' }) isSubscribed: boolean;
  @Field({ description: 'Whether the contact has chosen.' }) isChosen: boolean;
}

@ObjectType('ContactPreferences', {
  description:
    'What a contact has chosen of promotional mail; whether it wants any, subscriptionStatus says.',
})
export class ContactPreferencesType {
  @Field(() => GraphQLISODateTime, {
    nullable: true,
    description: 'Until when promotional mail rests; null when it does not.',
  })
  pausedUntil: Date | null;
  @Field(() => [TopicPreferenceType], { description: 'One for each topic that is not archived; at most 50.' })
  topics: TopicPreferenceType[];
}

@ObjectType('PreferenceChange', {
  description: 'An opt-out, an opt-in or a pause; never changed nor removed.',
})
export class PreferenceChangeType {
  @Field(() => ID) id: string;
  @Field({ description: `One of: ${CHANGE_KINDS.join(', ')}.` }) kind: string;
  @Field(() => String, { nullable: true, description: 'A topic’s key; null where all mail is meant.' })
  topic: string | null;
  @Field(() => GraphQLISODateTime, { nullable: true, description: 'The end of a pause.' }) until: Date | null;
  @Field({ description: `One of: ${CHANGE_WAYS.join(', ')}.` }) way: string;
  @Field(() => ID, { nullable: true, description: 'The email log whose link was used.' })
  messageId: string | null;
  @Field(() => String, { nullable: true, description: 'Who told it, where the contact did not.' })
  actor: string | null;
  @Field(() => GraphQLISODateTime) changedAt: Date;
}

@ObjectType('PreferenceChangeEdge')
export class PreferenceChangeEdgeType extends edge<PreferenceChangeType>(() => PreferenceChangeType) {}

@ObjectType('PreferenceChangeConnection')
export class PreferenceChangeConnectionType extends connection(() => PreferenceChangeEdgeType) {}
