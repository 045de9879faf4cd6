/** Which worker runs which queue: a map, so that "what runs here?" is answered by reading it. */
import type { Type } from '@nestjs/common';
import type { TenantScope } from '../kernel/tenant-scope.js';
import { BillingWorkerModule } from '../modules/billing/billing.worker.module.js';
import { BILLING_BELL } from '../modules/billing/queue/billing.jobs.js';
import { CampaignsWorkerModule } from '../modules/campaigns/campaigns.worker.module.js';
import { CAMPAIGNS_BELL } from '../modules/campaigns/queue/campaigns.jobs.js';
import { DeliveryWorkerModule } from '../modules/delivery/delivery.worker.module.js';
import { SENDS_BELL } from '../modules/delivery/queue/sends.jobs.js';
import { DomainsWorkerModule } from '../modules/domains/domains.worker.module.js';
import { DOMAINS_BELL } from '../modules/domains/queue/domains.jobs.js';
import { EventsWorkerModule } from '../modules/events/events.worker.module.js';
import { EVENTS_BELL } from '../modules/events/queue/events.jobs.js';
import { RETENTION_BELL } from '../modules/events/queue/retention.jobs.js';
import { RetentionWorkerModule } from '../modules/events/retention.worker.module.js';
import { FeedbackWorkerModule } from '../modules/feedback/feedback.worker.module.js';
import { FEEDBACK_BELL } from '../modules/feedback/queue/feedback.jobs.js';
import { ImportsWorkerModule } from '../modules/imports/imports.worker.module.js';
import { IMPORTS_BELL } from '../modules/imports/queue/imports.jobs.js';
import { FullInspectWorkerModule, InspectWorkerModule } from '../modules/inspect/inspect.worker.module.js';
import { FULL_INSPECTIONS_BELL, INSPECTIONS_BELL } from '../modules/inspect/queue/inspections.jobs.js';
import { MetricsWorkerModule } from '../modules/metrics/metrics.worker.module.js';
import { METRICS_BELL } from '../modules/metrics/queue/metrics.jobs.js';
import { NoticesWorkerModule } from '../modules/notices/notices.worker.module.js';
import { NOTICES_BELL } from '../modules/notices/queue/notices.jobs.js';
import { REPORTS_BELL } from '../modules/reports/queue/reports.jobs.js';
import { ReportsWorkerModule } from '../modules/reports/reports.worker.module.js';
import { SEGMENTS_BELL } from '../modules/segments/queue/segments.jobs.js';
import { SegmentsWorkerModule } from '../modules/segments/segments.worker.module.js';
import { TRIPS_BELL } from '../modules/trips/queue/trips.jobs.js';
import { TripsWorkerModule } from '../modules/trips/trips.worker.module.js';
import { DELETIONS_BELL } from '../modules/workspaces/queue/deletions.jobs.js';
import { WorkspacesWorkerModule } from '../modules/workspaces/workspaces.worker.module.js';
import { ConfigError } from '../platform/config/config.js';
import { USAGE_BELL } from '../modules/usage/queue/usage.jobs.js';
import { UsageWorkerModule } from '../modules/usage/usage.worker.module.js';
import type { JobContract } from '../platform/queue/job-contract.js';

interface CatalogueEntry {
  readonly bell: JobContract<TenantScope>;
  readonly module: Type;
}

export const WORKER_CATALOGUE: Readonly<Record<string, CatalogueEntry>> = {
  events: { bell: EVENTS_BELL, module: EventsWorkerModule },
  trips: { bell: TRIPS_BELL, module: TripsWorkerModule },
  sends: { bell: SENDS_BELL, module: DeliveryWorkerModule },
  campaigns: { bell: CAMPAIGNS_BELL, module: CampaignsWorkerModule },
  feedback: { bell: FEEDBACK_BELL, module: FeedbackWorkerModule },
  segments: { bell: SEGMENTS_BELL, module: SegmentsWorkerModule },
  domains: { bell: DOMAINS_BELL, module: DomainsWorkerModule },
  billing: { bell: BILLING_BELL, module: BillingWorkerModule },
  deletions: { bell: DELETIONS_BELL, module: WorkspacesWorkerModule },
  inspections: { bell: INSPECTIONS_BELL, module: InspectWorkerModule },
  'full-inspections': { bell: FULL_INSPECTIONS_BELL, module: FullInspectWorkerModule },
  imports: { bell: IMPORTS_BELL, module: ImportsWorkerModule },
  usage: { bell: USAGE_BELL, module: UsageWorkerModule },
  reports: { bell: REPORTS_BELL, module: ReportsWorkerModule },
  notices: { bell: NOTICES_BELL, module: NoticesWorkerModule },
  metrics: { bell: METRICS_BELL, module: MetricsWorkerModule },
  upkeep: { bell: RETENTION_BELL, module: RetentionWorkerModule },
};

/** Every queue of the service. */
export const QUEUES: readonly string[] = Object.keys(WORKER_CATALOGUE);

/**
 * Reads the queues that a worker is asked to run; all of them when it is asked for none.
 * @param text queue names separated by commas.
 * @throws ConfigError naming a queue that does not exist.
 */
export function readQueues(text: string | undefined): string[] {
  const names = (text ?? '').split(',').flatMap((name) => name.trim() || []);
  const unknown = names.find((name) => !QUEUES.includes(name));
  if (unknown !== undefined)
    throw new ConfigError(
      `--queues names "${unknown}": give some of ${QUEUES.join(', ')}, separated by commas.`,
    );
  return names.length > 0 ? [...new Set(names)] : [...QUEUES];
}
