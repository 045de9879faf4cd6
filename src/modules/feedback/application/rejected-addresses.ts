/** Suppresses addresses whose server rejects a message in the SMTP session and says that the address is dead. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { MessageRejections } from '../../delivery/application/message-rejections.js';
import { SettledMessagesListener } from '../../delivery/application/settled-messages.listener.js';
import type { MessageState } from '../../delivery/domain/email-log.js';
import { Suppressions } from '../../suppressions/application/suppressions.js';
import { isHardRejection } from '../domain/bounces/classify-bounce.js';

@Injectable()
export class RejectedAddresses extends SettledMessagesListener {
  constructor(
    private readonly rejections: MessageRejections,
    private readonly suppressions: Suppressions,
  ) {
    super();
  }

  override async handle(
    tx: Transaction,
    scope: TenantScope,
    messages: readonly MessageState[],
    now: Date,
  ): Promise<void> {
    const failed = messages.flatMap(({ id, status }) => (status === 'failed' ? [id] : []));
    if (failed.length === 0) return;
    const dead = (await this.rejections.among(tx, scope, failed)).filter(({ answer }) =>
      isHardRejection(answer),
    );
    const found = dead.map(({ answer: note, ...rejection }) => ({
      ...rejection,
      ...{ reason: 'hard_bounce' as const, since: now, by: 'provider', note },
    }));
    await this.suppressions.add(tx, scope, found);
  }
}
