/** The messages of trips as those who explain trips read them, inside their transaction. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { WorkspaceService } from '../../workspaces/application/workspace.service.js';
import type { WorkspaceSettings } from '../../workspaces/domain/workspace.js';
import type { EmailLog } from '../domain/email-log.js';
import type { CapFigures } from '../domain/send-gates.js';
import { EmailLogRepository } from '../persistence/email-log.repository.js';

export type FrequencyCap = NonNullable<WorkspaceSettings['frequencyCap']>;

/** A flow has far fewer steps. */
const MOST = 2_000;

@Injectable()
export class TripMessages {
  constructor(
    private readonly emailLogs: EmailLogRepository,
    private readonly workspaces: WorkspaceService,
  ) {}

  /** The workspace's frequency cap as it is now, for `capsMet`; to be asked outside of a transaction. */
  async cap(scope: TenantScope): Promise<FrequencyCap | undefined> {
    return (await this.workspaces.find(scope))?.settings.frequencyCap;
  }

  /** How much of the cap the contacts had used whose messages it has kept from being sent, by the messages' ids. */
  async capsMet(
    tx: Transaction,
    scope: TenantScope,
    logs: readonly EmailLog[],
    cap: FrequencyCap | undefined,
  ): Promise<Map<string, CapFigures>> {
    const ids = logs.filter(({ suppressedReason: why }) => why === 'frequency_cap').map(({ id }) => id);
    if (!cap || ids.length === 0) return new Map();
    const { max, periodHours } = cap;
    const counted = await this.emailLogs.countedBefore(tx, scope, ids, periodHours);
    return new Map([...counted].map(([id, sent]) => [id, { sent, max, periodHours }]));
  }

  /** The trips' messages and those that repeat them, in the order in which they were asked for. */
  async of(tx: Transaction, scope: TenantScope, tripIds: readonly string[]): Promise<EmailLog[]> {
    return tripIds.length === 0 ? [] : this.emailLogs.storyOfTrips(tx, scope, tripIds, MOST);
  }
}
