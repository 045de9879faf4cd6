/**
 * Credits count from 0 again when a billing period begins (section 8.2). Versions that were paid stay paid, and their
 * charges stay in the ledger.
 */
import { Injectable } from '@nestjs/common';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { CounterRenewal } from '../../limits/application/counter-renewal.port.js';
import { monthOf } from '../../limits/domain/plan.js';
import { InspectCreditRepository } from '../persistence/inspect-credit.repository.js';

@Injectable()
export class CreditRenewal extends CounterRenewal {
  constructor(private readonly credits: InspectCreditRepository) {
    super();
  }

  override async renew(tx: Transaction, workspace: WorkspaceScope, now: Date): Promise<void> {
    await this.credits.renew(tx, workspace, monthOf(now), now);
  }
}
