/**
 * Maps each queue to its work, so that reading this file shows what runs where. A process loads only the modules of its
 * own queues.
 */
import { ConfigError } from '../platform/config/config.js';
import type { Work } from '../platform/queue/define-work.js';
import { QUEUES, type QueueName } from '../platform/queue/wake-ups.js';

type Catalogue = { readonly [Queue in QueueName]: () => Promise<{ readonly WORK: Work<Queue> }> };

export const WORKER_CATALOGUE: Catalogue = {
  events: () => import('../modules/events/queue/events.work.js'),
  trips: () => import('../modules/trips/queue/trips.work.js'),
  sends: () => import('../modules/delivery/queue/sends.work.js'),
  campaigns: () => import('../modules/campaigns/queue/campaigns.work.js'),
  feedback: () => import('../modules/feedback/queue/feedback.work.js'),
  segments: () => import('../modules/segments/queue/segments.work.js'),
  domains: () => import('../modules/domains/queue/domains.work.js'),
  billing: () => import('../modules/billing/queue/billing.work.js'),
  deletions: () => import('../modules/workspaces/queue/deletions.work.js'),
  inspections: () => import('../modules/inspect/queue/inspections.work.js'),
  'full-inspections': () => import('../modules/inspect/queue/full-inspections.work.js'),
  imports: () => import('../modules/imports/queue/imports.work.js'),
  usage: () => import('../modules/usage/queue/usage.work.js'),
  reports: () => import('../modules/reports/queue/reports.work.js'),
  notices: () => import('../modules/notices/queue/notices.work.js'),
  metrics: () => import('../modules/metrics/queue/metrics.work.js'),
  upkeep: () => import('../modules/events/queue/upkeep.work.js'),
};

/**
 * Parses the queues for a worker; an empty list means all queues.
 * @param text queue names separated by commas.
 * @throws ConfigError naming an unknown queue.
 */
export function readQueues(text: string | undefined): QueueName[] {
  const names = (text ?? '').split(',').flatMap((name) => name.trim() || []);
  const unknown = names.find((name) => !isQueue(name));
  if (unknown !== undefined)
    throw new ConfigError(
      `--queues contains "${unknown}": use a comma-separated list of ${QUEUES.join(', ')}.`,
    );
  const queues = names.filter(isQueue);
  return queues.length > 0 ? [...new Set(queues)] : [...QUEUES];
}

function isQueue(name: string): name is QueueName {
  return (QUEUES as readonly string[]).includes(name);
}
