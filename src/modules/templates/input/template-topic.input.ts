/** GraphQL input of the topic of a template's promotional mail. */
import { Sought, Text } from '../../../platform/input/fields.js';
import { Arguments } from '../../../platform/input/input-class.js';
import { LONGEST_KEY } from '../../preferences/domain/topic.js';

@Arguments()
export class TemplateTopicArgs {
  @Sought({}) slug: string;
  @Text({
    optional: true,
    min: 1,
    max: LONGEST_KEY,
    description: 'Key of a topic. Null or omitted to remove the topic.',
  })
  topic?: string;
}
