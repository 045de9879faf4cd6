/**
 * Turns the outcomes of a flow's messages into events that goals count: under reserved names, each once per message,
 * and only for goals of the message's flow.
 */
import type { EmailLog } from '../../delivery/domain/email-log.js';
import type { Engagement } from '../../delivery/domain/engagement.js';
import type { EventOfContact } from '../../events/domain/accepted-event.js';

const TIMESTAMP_FIELDS = {
  email_delivered: 'deliveredAt',
  email_opened: 'openedAt',
  email_clicked: 'clickedAt',
  email_bounced: 'bouncedAt',
  email_complained: 'complainedAt',
} as const;
type EngagementEventName = keyof typeof TIMESTAMP_FIELDS;

/**
 * Names of events by which goals count outcomes of messages. Opens and clicks are those of people, not of machines.
 */
export const ENGAGEMENT_EVENTS = Object.keys(TIMESTAMP_FIELDS) as readonly EngagementEventName[];

/** The fields of a message that are needed, with the previous and the current state. */
interface EngagementChange extends Pick<EmailLog, 'id' | 'contactId' | 'contentType'> {
  readonly before: Engagement;
  readonly after: Engagement;
}

/**
 * The new outcomes of a message, as events of its contact.
 * @param isReachable whether events of the contact may be processed.
 */
export function engagementEvents(message: EngagementChange, isReachable: boolean): EventOfContact[] {
  const { id, contactId, contentType, before, after } = message;
  return ENGAGEMENT_EVENTS.flatMap((name) => {
    const field = TIMESTAMP_FIELDS[name];
    const occurredAt = after[field];
    if (occurredAt === null || before[field] !== null) return [];
    const attributes = { email_log_id: id, content_type: contentType };
    return [{ id, name, attributes, occurredAt, externalId: '', contactId, contactReachable: isReachable }];
  });
}
