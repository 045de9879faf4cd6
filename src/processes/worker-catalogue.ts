/**
 * Maps each queue to the worker that processes it, so that reading this file shows what runs where. A process loads
 * only the modules of its own queues.
 */
import type { Type } from '@nestjs/common';
import type { TenantScope } from '../kernel/tenant-scope.js';
import { BILLING_WAKE_UP } from '../modules/billing/queue/billing.wakeup.js';
import { CAMPAIGNS_WAKE_UP } from '../modules/campaigns/queue/campaigns.wakeup.js';
import { SENDS_WAKE_UP } from '../modules/delivery/queue/sends.wakeup.js';
import { DOMAINS_WAKE_UP } from '../modules/domains/queue/domains.wakeup.js';
import { EVENTS_WAKE_UP } from '../modules/events/queue/events.wakeup.js';
import { RETENTION_WAKE_UP } from '../modules/events/queue/retention.wakeup.js';
import { FEEDBACK_WAKE_UP } from '../modules/feedback/queue/feedback.wakeup.js';
import { IMPORTS_WAKE_UP } from '../modules/imports/queue/imports.wakeup.js';
import {
  FULL_INSPECTIONS_WAKE_UP,
  INSPECTIONS_WAKE_UP,
} from '../modules/inspect/queue/inspections.wakeup.js';
import { METRICS_WAKE_UP } from '../modules/metrics/queue/metrics.wakeup.js';
import { NOTICES_WAKE_UP } from '../modules/notices/queue/notices.wakeup.js';
import { REPORTS_WAKE_UP } from '../modules/reports/queue/reports.wakeup.js';
import { SEGMENTS_WAKE_UP } from '../modules/segments/queue/segments.wakeup.js';
import { TRIPS_WAKE_UP } from '../modules/trips/queue/trips.wakeup.js';
import { DELETIONS_WAKE_UP } from '../modules/workspaces/queue/deletions.wakeup.js';
import { ConfigError } from '../platform/config/config.js';
import { USAGE_WAKE_UP } from '../modules/usage/queue/usage.wakeup.js';
import type { JobContract } from '../platform/queue/job-contract.js';

interface CatalogueEntry {
  readonly wakeUp: JobContract<TenantScope>;
  readonly load: () => Promise<Type>;
}

export const WORKER_CATALOGUE: Readonly<Record<string, CatalogueEntry>> = {
  events: {
    wakeUp: EVENTS_WAKE_UP,
    load: async () => (await import('../modules/events/events.worker.module.js')).EventsWorkerModule,
  },
  trips: {
    wakeUp: TRIPS_WAKE_UP,
    load: async () => (await import('../modules/trips/trips.worker.module.js')).TripsWorkerModule,
  },
  sends: {
    wakeUp: SENDS_WAKE_UP,
    load: async () => (await import('../modules/delivery/delivery.worker.module.js')).DeliveryWorkerModule,
  },
  campaigns: {
    wakeUp: CAMPAIGNS_WAKE_UP,
    load: async () => (await import('../modules/campaigns/campaigns.worker.module.js')).CampaignsWorkerModule,
  },
  feedback: {
    wakeUp: FEEDBACK_WAKE_UP,
    load: async () => (await import('../modules/feedback/feedback.worker.module.js')).FeedbackWorkerModule,
  },
  segments: {
    wakeUp: SEGMENTS_WAKE_UP,
    load: async () => (await import('../modules/segments/segments.worker.module.js')).SegmentsWorkerModule,
  },
  domains: {
    wakeUp: DOMAINS_WAKE_UP,
    load: async () => (await import('../modules/domains/domains.worker.module.js')).DomainsWorkerModule,
  },
  billing: {
    wakeUp: BILLING_WAKE_UP,
    load: async () => (await import('../modules/billing/billing.worker.module.js')).BillingWorkerModule,
  },
  deletions: {
    wakeUp: DELETIONS_WAKE_UP,
    load: async () =>
      (await import('../modules/workspaces/workspaces.worker.module.js')).WorkspacesWorkerModule,
  },
  inspections: {
    wakeUp: INSPECTIONS_WAKE_UP,
    load: async () => (await import('../modules/inspect/inspect.worker.module.js')).InspectWorkerModule,
  },
  'full-inspections': {
    wakeUp: FULL_INSPECTIONS_WAKE_UP,
    load: async () => (await import('../modules/inspect/inspect.worker.module.js')).FullInspectWorkerModule,
  },
  imports: {
    wakeUp: IMPORTS_WAKE_UP,
    load: async () => (await import('../modules/imports/imports.worker.module.js')).ImportsWorkerModule,
  },
  usage: {
    wakeUp: USAGE_WAKE_UP,
    load: async () => (await import('../modules/usage/usage.worker.module.js')).UsageWorkerModule,
  },
  reports: {
    wakeUp: REPORTS_WAKE_UP,
    load: async () => (await import('../modules/reports/reports.worker.module.js')).ReportsWorkerModule,
  },
  notices: {
    wakeUp: NOTICES_WAKE_UP,
    load: async () => (await import('../modules/notices/notices.worker.module.js')).NoticesWorkerModule,
  },
  metrics: {
    wakeUp: METRICS_WAKE_UP,
    load: async () => (await import('../modules/metrics/metrics.worker.module.js')).MetricsWorkerModule,
  },
  upkeep: {
    wakeUp: RETENTION_WAKE_UP,
    load: async () => (await import('../modules/events/retention.worker.module.js')).RetentionWorkerModule,
  },
};

export const QUEUES: readonly string[] = Object.keys(WORKER_CATALOGUE);

/**
 * Parses the queues for a worker; an empty list means all queues.
 * @param text queue names separated by commas.
 * @throws ConfigError naming an unknown queue.
 */
export function readQueues(text: string | undefined): string[] {
  const names = (text ?? '').split(',').flatMap((name) => name.trim() || []);
  const unknown = names.find((name) => !QUEUES.includes(name));
  if (unknown !== undefined)
    throw new ConfigError(
      `--queues contains "${unknown}": use a comma-separated list of ${QUEUES.join(', ')}.`,
    );
  return names.length > 0 ? [...new Set(names)] : [...QUEUES];
}
