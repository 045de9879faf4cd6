/** GraphQL input for topics. */
import { Flag, Json, Text } from '../../../platform/input/fields.js';
import { Input } from '../../../platform/input/input-class.js';
import type { JsonObject } from '../../../kernel/json.js';
import {
  MAX_TOPIC_DESCRIPTION_LENGTH,
  MAX_TOPIC_KEY_LENGTH,
  MAX_TOPIC_NAME_LENGTH,
  TOPIC_KEY,
  translationsProblem,
  type NewTopic,
  type TopicChanges,
} from '../domain/topic.js';

const isBlank = (text: string): string | undefined => (text.trim() === '' ? 'must not be blank' : undefined);

export const KEY = {
  min: 1,
  max: MAX_TOPIC_KEY_LENGTH,
  check: (key: string) =>
    TOPIC_KEY.test(key) ? undefined : 'must be lowercase letters and digits, in parts joined by - or _',
  description:
    'Lowercase letters and digits, in parts joined by a single hyphen or underscore. For example product-news.',
} as const;
const NAME = {
  min: 1,
  max: MAX_TOPIC_NAME_LENGTH,
  check: isBlank,
  description: 'The name shown to contacts.',
} as const;
const DESCRIPTION = {
  max: MAX_TOPIC_DESCRIPTION_LENGTH,
  optional: true,
  description: 'What the topic’s mail contains and how often it is sent.',
} as const;

function translations(maxLength: number): {
  optional: true;
  check: (value: JsonObject) => string | undefined;
} {
  return { optional: true, check: (value) => translationsProblem(value, maxLength) };
}
const NAMES = {
  ...translations(MAX_TOPIC_NAME_LENGTH),
  description:
    'The name by language, for example {"de": "Neuigkeiten"}. Languages: en, de, fr, es, it, nl, pt.',
} as const;
const DESCRIPTIONS = {
  ...translations(MAX_TOPIC_DESCRIPTION_LENGTH),
  description: 'The description by language.',
} as const;

@Input({ graphql: 'CreateTopicInput' }, { nullIsAbsent: true })
export class CreateTopicInput {
  @Text(KEY) key: string;
  @Text(NAME) name: string;
  @Text(DESCRIPTION) description?: string;
  @Json(NAMES) names?: JsonObject;
  @Json(DESCRIPTIONS) descriptions?: JsonObject;
  @Flag({
    optional: true,
    description:
      'Whether contacts who have made no choice receive the topic. Defaults to true. Cannot be changed later.',
  })
  isSubscribedByDefault?: boolean;
}

@Input(
  { graphql: 'UpdateTopicInput', description: 'Omitted or null fields do not change.' },
  { nullIsAbsent: true },
)
export class UpdateTopicInput {
  @Text({ ...NAME, optional: true }) name?: string;
  @Text(DESCRIPTION) description?: string;
  @Json(NAMES) names?: JsonObject;
  @Json(DESCRIPTIONS) descriptions?: JsonObject;
  @Flag({
    optional: true,
    description: 'An archived topic is not offered to contacts and cannot be assigned to templates.',
  })
  isArchived?: boolean;
}

/** The requested topic. */
export function newTopicOf(input: CreateTopicInput): NewTopic {
  const { key, name, description = '', names = {}, descriptions = {}, isSubscribedByDefault = true } = input;
  return {
    key,
    name,
    description,
    names: names,
    descriptions: descriptions,
    isSubscribedByDefault,
  };
}

/** The requested changes to a topic. */
export function topicChangesOf(input: UpdateTopicInput): TopicChanges {
  return { ...input };
}
