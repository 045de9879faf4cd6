/** Adds the bounces and complaints of promotional messages to the counters by which sending is judged. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { SendingTally } from '../../delivery/application/sending-tally.js';
import { figuresOf } from '../../delivery/domain/engagement.js';
import { EmailEngagementListener, type EngagedMessage } from './email-engagement.listener.js';

@Injectable()
export class StandingFeedback extends EmailEngagementListener {
  constructor(private readonly tally: SendingTally) {
    super();
  }

  override async hear(
    tx: Transaction,
    scope: TenantScope,
    messages: readonly EngagedMessage[],
  ): Promise<void> {
    const changes = messages.flatMap(({ contentType, sentAt, before, after }) => {
      const [was, is] = [figuresOf(before), figuresOf(after)];
      const [bounced, complained] = [is.bounced - was.bounced, is.complained - was.complained];
      const isNews = contentType === 'promotional' && (bounced !== 0 || complained !== 0);
      return isNews ? [{ at: sentAt, sent: 0, bounced, complained }] : [];
    });
    this.tally.add(tx, scope, changes);
    await Promise.resolve();
  }
}
