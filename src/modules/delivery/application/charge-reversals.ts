/** Reverts the charge to the month's emails for messages that end neither sent nor suppressed. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { MonthlyEmails } from '../../limits/application/monthly-emails.js';
import type { MessageState } from '../domain/email-log.js';
import { SettledMessagesListener } from './settled-messages.listener.js';

@Injectable()
export class ChargeReversals extends SettledMessagesListener {
  constructor(private readonly emails: MonthlyEmails) {
    super();
  }

  override async handle(
    tx: Transaction,
    scope: TenantScope,
    messages: readonly MessageState[],
  ): Promise<void> {
    const unsent = messages.filter(({ status }) => status === 'failed' || status === 'cancelled');
    const charged = unsent.flatMap(({ chargedAt }) => chargedAt ?? []);
    if (charged.length > 0) this.emails.refund(tx, scope, charged);
    await Promise.resolve();
  }
}
