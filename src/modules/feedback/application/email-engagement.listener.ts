/**
 * Announces what became of messages after they left, for figures and whoever else counts on them: each message once a
 * batch, with what was known before and what is known now. Who counts adds `figuresOf(after)` and takes away
 * `figuresOf(before)`: words come in any order, and a later one may show that an earlier click was a scanner's.
 */
import { Listener } from '../../../platform/database/listener.js';
import type { EmailLog } from '../../delivery/domain/email-log.js';
import type { EmailOrigin } from '../../delivery/domain/email-origin.js';
import type { Engagement } from '../../delivery/domain/engagement.js';

export interface EngagedMessage extends Pick<
  EmailLog,
  'id' | 'sourceId' | 'contactId' | 'contentType' | 'tracked' | keyof EmailOrigin
> {
  readonly sentAt: Date;
  readonly before: Engagement;
  readonly after: Engagement;
}

export abstract class EmailEngagementListener extends Listener<EngagedMessage> {}
