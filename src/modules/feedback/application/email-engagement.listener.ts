/**
 * Announces the engagement of sent messages, for statistics and other uses: each message once per batch, with its
 * state before and after. A counter adds `figuresOf(after)` and subtracts `figuresOf(before)`: feedback may arrive in
 * any order, and later feedback may show that an earlier click was a scanner's.
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
