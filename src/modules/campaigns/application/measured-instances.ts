/**
 * Counts how many messages of an instance were measured: by their own tracking, or by a provider that reports events.
 */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { ProviderEventDays } from '../../feedback/application/provider-event-days.js';
import { NOTHING_REPORTED, type ReportedKinds } from '../../feedback/domain/reported-events.js';
import type { MeasuredCounts } from '../../metrics/domain/rates.js';
import { trackedParts } from '../../tracking/domain/tracking-settings.js';
import { WorkspaceService } from '../../workspaces/application/workspace.service.js';
import type { AbMetric } from '../domain/ab-test.js';
import type { CampaignInstance } from '../domain/instance.js';
import { measuredCounts } from '../domain/campaign-counters.js';
import { CampaignCounterRepository } from '../persistence/campaign-counter.repository.js';

@Injectable()
export class MeasuredInstances {
  constructor(
    private readonly counters: CampaignCounterRepository,
    private readonly days: ProviderEventDays,
    private readonly workspaces: WorkspaceService,
    private readonly clock: Clock,
  ) {}

  /** Returns the counts of each instance, in the order given. */
  async counts(
    tx: Transaction,
    scope: TenantScope,
    instances: readonly CampaignInstance[],
  ): Promise<MeasuredCounts[]> {
    const ids = instances.map(({ id }) => id);
    const counters = await this.counters.tracked(tx, scope, ids);
    const reported = await this.reported(tx, scope, instances);
    return ids.map((id, index) =>
      measuredCounts(
        counters.filter(({ instanceId }) => instanceId === id),
        reported[index] ?? NOTHING_REPORTED,
      ),
    );
  }

  /** Returns the counts of each group of an instance's test, by variant. */
  async groups(
    tx: Transaction,
    scope: TenantScope,
    instance: CampaignInstance,
  ): Promise<Map<number, MeasuredCounts>> {
    const counters = await this.counters.tracked(tx, scope, [instance.id]);
    const [reported = NOTHING_REPORTED] = await this.reported(tx, scope, [instance]);
    const groups = new Set(counters.map(({ group }) => group));
    return new Map(
      [...groups].map((group) => [
        group,
        measuredCounts(
          counters.filter((each) => each.group === group),
          reported,
        ),
      ]),
    );
  }

  /** Whether the metric of a test would be measured for a message sent now. */
  async isMetricMeasured(tx: Transaction, scope: TenantScope, metric: AbMetric): Promise<boolean> {
    if (metric === 'conversion_rate') return true;
    const { settings } = await this.workspaces.get(scope);
    const { opens, clicks } = trackedParts(settings, 'promotional');
    const now = this.clock.now();
    const [reported = NOTHING_REPORTED] = await this.days.reported(tx, scope, [{ from: now, until: now }]);
    return metric === 'open_rate' ? opens || reported.opened : clicks || reported.clicked;
  }

  private async reported(
    tx: Transaction,
    scope: TenantScope,
    instances: readonly Pick<CampaignInstance, 'startedAt' | 'completedAt'>[],
  ): Promise<ReportedKinds[]> {
    const now = this.clock.now();
    const spans = instances.map(({ startedAt, completedAt }) => ({
      from: startedAt,
      until: completedAt ?? now,
    }));
    return this.days.reported(tx, scope, spans);
  }
}
