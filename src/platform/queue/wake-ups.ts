/**
 * The wake-up of each queue. Services import this table to wake a worker. It only knows names, so that a process can
 * wake any queue without loading its work.
 */
import { tenantWakeUp, type WakeUp } from './job-contract.js';

/** Queue → its job: which rows of the tenant are due. */
const JOBS = {
  /** Unprocessed events. */
  events: 'events.process',
  /** Trips or sweeps. */
  trips: 'trips.advance',
  /** Messages to send. */
  sends: 'sends.deliver',
  campaigns: 'campaigns.go-on',
  /** Feedback to process or delete. */
  feedback: 'feedback.process',
  /** Touched contacts or segment refreshes. */
  segments: 'segments.refresh',
  /** Checks of sending domains. */
  domains: 'domains.check',
  /** Events of payment providers. */
  billing: 'billing.process',
  /** The deletion of the workspace. */
  deletions: 'workspaces.delete',
  /**
   * Quick runs of quality analysis. They never wait behind the screenshots of full runs, which have another queue.
   * Runs belong to the workspace; the environment of the wake-up has no meaning.
   */
  inspections: 'inspections.quick',
  'full-inspections': 'inspections.full',
  /** Migration jobs to work on, or files to remove. */
  imports: 'imports.work',
  /** Usage that has reached a threshold and is not announced yet. */
  usage: 'usage.tell',
  /** Reports to mail. */
  reports: 'reports.mail',
  /** The product's own mail. */
  notices: 'notices.send',
  /** Pending rollup deltas. */
  metrics: 'metrics.fold',
  /** Expired events or idempotency keys. */
  upkeep: 'events.retention',
} as const;

export type QueueName = keyof typeof JOBS;

export const WAKE_UPS = Object.fromEntries(
  Object.entries(JOBS).map(([queue, job]) => [queue, tenantWakeUp(job, queue)]),
) as { readonly [Queue in QueueName]: WakeUp<Queue> };

/** All queues of the service. */
export const QUEUES = Object.keys(JOBS) as readonly QueueName[];
