/** Topics of promotional mail in GraphQL. */
import { Out, Output } from '../../../platform/output/output-class.js';

@Output({ graphql: 'Topic', description: 'A topic of promotional mail that contacts can choose.' })
export class TopicOutput {
  @Out('String', { description: 'Unique in the workspace; cannot be changed.' }) key: string;
  @Out('String') name: string;
  @Out('String') description: string;
  @Out('JSON', { description: 'The name by language.' }) names: object;
  @Out('JSON', { description: 'The description by language.' }) descriptions: object;
  @Out('Boolean', {
    description: 'Whether contacts who have made no choice receive the topic; cannot be changed.',
  })
  isSubscribedByDefault: boolean;
  @Out('Boolean') isArchived: boolean;
  @Out('DateTime') createdAt: Date;
  @Out('DateTime') updatedAt: Date;
}
