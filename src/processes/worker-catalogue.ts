/**
 * Maps each queue to the worker that processes it, so that reading this file shows what runs where. A process loads
 * only the modules of its own queues.
 */
import type { Type } from '@nestjs/common';
import type { TenantScope } from '../kernel/tenant-scope.js';
import { BILLING_BELL } from '../modules/billing/queue/billing.jobs.js';
import { CAMPAIGNS_BELL } from '../modules/campaigns/queue/campaigns.jobs.js';
import { SENDS_BELL } from '../modules/delivery/queue/sends.jobs.js';
import { DOMAINS_BELL } from '../modules/domains/queue/domains.jobs.js';
import { EVENTS_BELL } from '../modules/events/queue/events.jobs.js';
import { RETENTION_BELL } from '../modules/events/queue/retention.jobs.js';
import { FEEDBACK_BELL } from '../modules/feedback/queue/feedback.jobs.js';
import { IMPORTS_BELL } from '../modules/imports/queue/imports.jobs.js';
import { FULL_INSPECTIONS_BELL, INSPECTIONS_BELL } from '../modules/inspect/queue/inspections.jobs.js';
import { METRICS_BELL } from '../modules/metrics/queue/metrics.jobs.js';
import { NOTICES_BELL } from '../modules/notices/queue/notices.jobs.js';
import { REPORTS_BELL } from '../modules/reports/queue/reports.jobs.js';
import { SEGMENTS_BELL } from '../modules/segments/queue/segments.jobs.js';
import { TRIPS_BELL } from '../modules/trips/queue/trips.jobs.js';
import { DELETIONS_BELL } from '../modules/workspaces/queue/deletions.jobs.js';
import { ConfigError } from '../platform/config/config.js';
import { USAGE_BELL } from '../modules/usage/queue/usage.jobs.js';
import type { JobContract } from '../platform/queue/job-contract.js';

interface CatalogueEntry {
  readonly bell: JobContract<TenantScope>;
  readonly load: () => Promise<Type>;
}

export const WORKER_CATALOGUE: Readonly<Record<string, CatalogueEntry>> = {
  events: {
    bell: EVENTS_BELL,
    load: async () => (await import('../modules/events/events.worker.module.js')).EventsWorkerModule,
  },
  trips: {
    bell: TRIPS_BELL,
    load: async () => (await import('../modules/trips/trips.worker.module.js')).TripsWorkerModule,
  },
  sends: {
    bell: SENDS_BELL,
    load: async () => (await import('../modules/delivery/delivery.worker.module.js')).DeliveryWorkerModule,
  },
  campaigns: {
    bell: CAMPAIGNS_BELL,
    load: async () => (await import('../modules/campaigns/campaigns.worker.module.js')).CampaignsWorkerModule,
  },
  feedback: {
    bell: FEEDBACK_BELL,
    load: async () => (await import('../modules/feedback/feedback.worker.module.js')).FeedbackWorkerModule,
  },
  segments: {
    bell: SEGMENTS_BELL,
    load: async () => (await import('../modules/segments/segments.worker.module.js')).SegmentsWorkerModule,
  },
  domains: {
    bell: DOMAINS_BELL,
    load: async () => (await import('../modules/domains/domains.worker.module.js')).DomainsWorkerModule,
  },
  billing: {
    bell: BILLING_BELL,
    load: async () => (await import('../modules/billing/billing.worker.module.js')).BillingWorkerModule,
  },
  deletions: {
    bell: DELETIONS_BELL,
    load: async () =>
      (await import('../modules/workspaces/workspaces.worker.module.js')).WorkspacesWorkerModule,
  },
  inspections: {
    bell: INSPECTIONS_BELL,
    load: async () => (await import('../modules/inspect/inspect.worker.module.js')).InspectWorkerModule,
  },
  'full-inspections': {
    bell: FULL_INSPECTIONS_BELL,
    load: async () => (await import('../modules/inspect/inspect.worker.module.js')).FullInspectWorkerModule,
  },
  imports: {
    bell: IMPORTS_BELL,
    load: async () => (await import('../modules/imports/imports.worker.module.js')).ImportsWorkerModule,
  },
  usage: {
    bell: USAGE_BELL,
    load: async () => (await import('../modules/usage/usage.worker.module.js')).UsageWorkerModule,
  },
  reports: {
    bell: REPORTS_BELL,
    load: async () => (await import('../modules/reports/reports.worker.module.js')).ReportsWorkerModule,
  },
  notices: {
    bell: NOTICES_BELL,
    load: async () => (await import('../modules/notices/notices.worker.module.js')).NoticesWorkerModule,
  },
  metrics: {
    bell: METRICS_BELL,
    load: async () => (await import('../modules/metrics/metrics.worker.module.js')).MetricsWorkerModule,
  },
  upkeep: {
    bell: RETENTION_BELL,
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
