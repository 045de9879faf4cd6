/** Topics and preferences in GraphQL. */
import { Field, GraphQLISODateTime, ID, ObjectType } from '@nestjs/graphql';
import { connection, edge } from '../../../platform/graphql/connection.js';
import { JsonScalar } from '../../../platform/input/json.scalar.js';
import { CHANGE_KINDS, CHANGE_CHANNELS } from '../domain/preference-change.js';

@ObjectType('Topic', { description: 'A topic of promotional mail that contacts can choose.' })
export class TopicType {
  @Field({ description: 'Unique in the workspace; cannot be changed.' }) key: string;
  @Field() name: string;
  @Field() description: string;
  @Field(() => JsonScalar, { description: 'The name by language.' }) names: object;
  @Field(() => JsonScalar, { description: 'The description by language.' }) descriptions: object;
  @Field({ description: 'Whether contacts who have made no choice receive the topic; cannot be changed.' })
  isSubscribedByDefault: boolean;
  @Field() isArchived: boolean;
  @Field(() => GraphQLISODateTime) createdAt: Date;
  @Field(() => GraphQLISODateTime) updatedAt: Date;
}

@ObjectType('TopicPreference')
export class TopicPreferenceType {
  @Field(() => TopicType) topic: TopicType;
  @Field({ description: 'Whether the contact receives the topic, by its own choice or by default.' })
  isSubscribed: boolean;
  @Field({ description: 'Whether the contact has made a choice for this topic.' }) isChosen: boolean;
}

@ObjectType('ContactPreferences', {
  description:
    'A contact’s preferences for promotional mail. Whether it receives any is in subscriptionStatus.',
})
export class ContactPreferencesType {
  @Field(() => GraphQLISODateTime, {
    nullable: true,
    description: 'When the pause of promotional mail ends. Null if promotional mail is not paused.',
  })
  pausedUntil: Date | null;
  @Field(() => [TopicPreferenceType], { description: 'One entry for each active topic; at most 50.' })
  topics: TopicPreferenceType[];
}

@ObjectType('PreferenceChange', {
  description: 'An opt-out, opt-in or pause. Entries are never changed or removed.',
})
export class PreferenceChangeType {
  @Field(() => ID) id: string;
  @Field({ description: `One of: ${CHANGE_KINDS.join(', ')}.` }) kind: string;
  @Field(() => String, { nullable: true, description: 'Key of the topic. Null for all promotional mail.' })
  topic: string | null;
  @Field(() => GraphQLISODateTime, {
    nullable: true,
    description: 'When the pause ends. Null for other changes.',
  })
  until: Date | null;
  @Field({ description: `One of: ${CHANGE_CHANNELS.join(', ')}.` }) way: string;
  @Field(() => ID, {
    nullable: true,
    description: 'ID of the email log whose link was used. Null if no link was used.',
  })
  messageId: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'Who made the change on the contact’s behalf. Null if the contact made it.',
  })
  actor: string | null;
  @Field(() => GraphQLISODateTime) changedAt: Date;
}

@ObjectType('PreferenceChangeEdge')
export class PreferenceChangeEdgeType extends edge<PreferenceChangeType>(() => PreferenceChangeType) {}

@ObjectType('PreferenceChangeConnection')
export class PreferenceChangeConnectionType extends connection(() => PreferenceChangeEdgeType) {}
