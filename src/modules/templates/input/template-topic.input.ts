/** GraphQL input of the topic of a template's promotional mail. */
import { SearchText, Text } from '../../../platform/input/fields.js';
import { Arguments } from '../../../platform/input/input-class.js';
import { MAX_TOPIC_KEY_LENGTH } from '../../preferences/domain/topic.js';

@Arguments()
export class TemplateTopicArgs {
  @SearchText({}) slug: string;
  @Text({
    optional: true,
    min: 1,
    max: MAX_TOPIC_KEY_LENGTH,
    description: 'Key of a topic. Null or omitted to remove the topic.',
  })
  topic?: string;
}
