/** Adds the bounces and complaints of promotional messages to the counters by which sending is judged. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { SendingCounters } from '../../delivery/application/sending-counters.js';
import { engagementCountsOf } from '../../delivery/domain/engagement.js';
import { EmailEngagementListener, type EngagedMessage } from './email-engagement.listener.js';

@Injectable()
export class SendingFeedbackCounters extends EmailEngagementListener {
  constructor(private readonly counters: SendingCounters) {
    super();
  }

  override async handle(
    tx: Transaction,
    scope: TenantScope,
    messages: readonly EngagedMessage[],
  ): Promise<void> {
    const deltas = messages.flatMap(({ contentType, sentAt, before, after }) => {
      const [was, is] = [engagementCountsOf(before), engagementCountsOf(after)];
      const [bounced, complained] = [is.bounced - was.bounced, is.complained - was.complained];
      const hasChanged = contentType === 'promotional' && (bounced !== 0 || complained !== 0);
      return hasChanged ? [{ at: sentAt, sent: 0, bounced, complained }] : [];
    });
    this.counters.add(tx, scope, deltas);
    await Promise.resolve();
  }
}
