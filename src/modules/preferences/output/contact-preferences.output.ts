/** The preferences of a contact, and their changes, in GraphQL. */
import { Out, Output } from '../../../platform/output/output-class.js';
import { connection } from '../../../platform/output/pages.js';
import { CHANGE_CHANNELS, CHANGE_KINDS } from '../domain/preference-change.js';
import { TopicOutput } from './topic.output.js';

@Output({ graphql: 'TopicPreference' })
class TopicPreferenceOutput {
  @Out(TopicOutput) topic: TopicOutput;
  @Out('Boolean', { description: 'Whether the contact receives the topic, by its own choice or by default.' })
  isSubscribed: boolean;
  @Out('Boolean', { description: 'Whether the contact has made a choice for this topic.' })
  isChosen: boolean;
}

@Output({
  graphql: 'ContactPreferences',
  description:
    'A contact’s preferences for promotional mail. Whether it receives any is in subscriptionStatus.',
})
export class ContactPreferencesOutput {
  @Out('DateTime', {
    nullable: true,
    description: 'When the pause of promotional mail ends. Null if promotional mail is not paused.',
  })
  pausedUntil: Date | null;
  @Out([TopicPreferenceOutput], { description: 'One entry for each active topic; at most 50.' })
  topics: readonly TopicPreferenceOutput[];
}

@Output({
  graphql: 'PreferenceChange',
  description: 'An opt-out, opt-in or pause. Entries are never changed or removed.',
})
class PreferenceChangeOutput {
  @Out('ID') id: string;
  @Out('String', { description: `One of: ${CHANGE_KINDS.join(', ')}.` }) kind: string;
  @Out('String', { nullable: true, description: 'Key of the topic. Null for all promotional mail.' })
  topic: string | null;
  @Out('DateTime', { nullable: true, description: 'When the pause ends. Null for other changes.' })
  until: Date | null;
  @Out('String', { description: `One of: ${CHANGE_CHANNELS.join(', ')}.` }) way: string;
  @Out('ID', {
    nullable: true,
    description: 'ID of the email log whose link was used. Null if no link was used.',
  })
  messageId: string | null;
  @Out('String', {
    nullable: true,
    description: 'Who made the change on the contact’s behalf. Null if the contact made it.',
  })
  actor: string | null;
  @Out('DateTime') changedAt: Date;
}

export const PreferenceChangeConnection = connection('PreferenceChange', PreferenceChangeOutput);
