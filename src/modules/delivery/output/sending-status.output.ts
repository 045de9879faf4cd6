/** The state of sending, which the dashboard polls, in GraphQL. */
import { Out, Output } from '../../../platform/output/output-class.js';

@Output({ graphql: 'SendingQueue', description: 'Pending messages of one content type.' })
class SendingQueueOutput {
  @Out('String', { description: 'transactional or promotional.' }) contentType: string;
  @Out('Int', { description: 'Messages that can be sent now.' }) due: number;
  @Out('Int', { description: 'Messages scheduled for a retry.' }) later: number;
  @Out('Int', {
    description:
      'Messages held by a send window, do-not-disturb hours, a frequency cap, a throttle or a pause.',
  })
  held: number;
  @Out('Int', { description: 'Messages being sent.' }) sending: number;
  @Out('DateTime', {
    nullable: true,
    description: 'Since when the oldest due message has been waiting. Null if none is due.',
  })
  oldestDueAt: Date | null;
  @Out('Boolean', {
    description: 'False if more than 10,000 messages are waiting; due messages are then counted first.',
  })
  isComplete: boolean;
}

@Output({ graphql: 'SentMinute' })
class SentMinuteOutput {
  @Out('DateTime') since: Date;
  @Out('Int', { description: 'Messages that were sent or may have been sent.' }) messages: number;
}

@Output({ graphql: 'DeferringDomain', description: 'A domain whose mail servers are deferring messages.' })
class DeferringDomainOutput {
  @Out('String') domain: string;
  @Out('Int', { description: 'Messages to this domain scheduled for a retry.' }) messages: number;
  @Out('DateTime', { description: 'When the first of them is retried.' }) nextAttemptAt: Date;
}

@Output({ graphql: 'SendingStatus' })
export class SendingStatusOutput {
  @Out('DateTime') at: Date;
  @Out([SendingQueueOutput]) queues: readonly SendingQueueOutput[];
  @Out([SentMinuteOutput], { description: 'The five minutes before `at`, latest first.' })
  sentByMinute: readonly SentMinuteOutput[];
  @Out([DeferringDomainOutput], {
    description: 'At most 20, those with the most waiting messages first.',
  })
  deferringDomains: readonly DeferringDomainOutput[];
}
