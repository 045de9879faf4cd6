/** The messages of trips, for the code that explains trips. It reads them in that code's transaction. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { WorkspaceService } from '../../workspaces/application/workspace.service.js';
import type { WorkspaceSettings } from '../../workspaces/domain/workspace.js';
import type { EmailLog } from '../domain/email-log.js';
import type { CapUsage } from '../domain/send-gates.js';
import { EmailLogRepository } from '../persistence/email-log.repository.js';

export type FrequencyCap = NonNullable<WorkspaceSettings['frequencyCap']>;

/** A flow has far fewer steps. */
const MAX_MESSAGES = 2_000;

@Injectable()
export class TripMessages {
  constructor(
    private readonly emailLogs: EmailLogRepository,
    private readonly workspaces: WorkspaceService,
  ) {}

  /** The workspace's current frequency cap, for `capUsageOf`. Call it outside of a transaction. */
  async cap(scope: TenantScope): Promise<FrequencyCap | undefined> {
    return (await this.workspaces.find(scope))?.settings.frequencyCap;
  }

  /** For each message that the cap kept from being sent, how much of the cap the contact had used, by message id. */
  async capUsageOf(
    tx: Transaction,
    scope: TenantScope,
    logs: readonly EmailLog[],
    cap: FrequencyCap | undefined,
  ): Promise<Map<string, CapUsage>> {
    const ids = logs.filter(({ suppressedReason: why }) => why === 'frequency_cap').map(({ id }) => id);
    if (!cap || ids.length === 0) return new Map();
    const { max, periodHours } = cap;
    const counted = await this.emailLogs.countedBefore(tx, scope, ids, periodHours);
    return new Map([...counted].map(([id, sent]) => [id, { sent, max, periodHours }]));
  }

  /** The trips' messages and their repetitions, in the order in which they were requested. */
  async of(tx: Transaction, scope: TenantScope, tripIds: readonly string[]): Promise<EmailLog[]> {
    return tripIds.length === 0 ? [] : this.emailLogs.historyOfTrips(tx, scope, tripIds, MAX_MESSAGES);
  }
}
