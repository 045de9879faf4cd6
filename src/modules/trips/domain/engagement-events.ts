/**
 * What becomes of a flow's own messages, as goals count it: under names of our own, each once a message, and for the goals
 * of the message's flow alone.
 */
import type { EmailLog } from '../../delivery/domain/email-log.js';
import type { Engagement } from '../../delivery/domain/engagement.js';
import type { EventOfContact } from '../../events/domain/accepted-event.js';

const MOMENTS = {
  email_delivered: 'deliveredAt',
  email_opened: 'openedAt',
  email_clicked: 'clickedAt',
  email_bounced: 'bouncedAt',
  email_complained: 'complainedAt',
} as const;
type EngagementName = keyof typeof MOMENTS;

/** Names of events by which goals count what becomes of messages; opens and clicks are those of people. */
export const ENGAGEMENT_EVENTS = Object.keys(MOMENTS) as readonly EngagementName[];

/** As much of a message as that needs, with what was known of it and what is. */
interface ToldMessage extends Pick<EmailLog, 'id' | 'contactId' | 'contentType'> {
  readonly before: Engagement;
  readonly after: Engagement;
}

/**
 * What has newly become of a message, as events of its contact.
 * @param isReachable whether the contact may be acted upon.
 */
export function engagementEvents(message: ToldMessage, isReachable: boolean): EventOfContact[] {
  const { id, contactId, contentType, before, after } = message;
  return ENGAGEMENT_EVENTS.flatMap((name) => {
    const moment = MOMENTS[name];
    const occurredAt = after[moment];
    if (occurredAt === null || before[moment] !== null) return [];
    const attributes = { email_log_id: id, content_type: contentType };
    return [{ id, name, attributes, occurredAt, externalId: '', contactId, contactReachable: isReachable }];
  });
}
