/** What the service counts, for GET /metrics in Prometheus' format. No label names a tenant. */
import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

@Injectable()
export class Metrics {
  readonly registry = new Registry();

  readonly requests = new Histogram({
    name: 'waypost_http_request_duration_seconds',
    help: 'Duration of HTTP requests by method, route and status.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [this.registry],
  });
  readonly rateLimited = new Counter({
    name: 'waypost_rate_limited_total',
    help: 'Requests that were refused by rate limits, by the window that was full: key, person, workspace, endpoint or network.',
    labelNames: ['window'] as const,
    registers: [this.registry],
  });
  readonly rateStoreFailures = new Counter({
    name: 'waypost_rate_limit_store_failures_total',
    help: 'Times that the store of rate limits did not answer, so that the process counted by itself.',
    registers: [this.registry],
  });
  readonly databaseShortages = new Counter({
    name: 'waypost_database_shortages_total',
    help: 'Transactions that failed since the database server lacks disk, memory or connections, or takes no writes, by SQLSTATE.',
    labelNames: ['sqlstate'] as const,
    registers: [this.registry],
  });
  readonly exportsCut = new Counter({
    name: 'waypost_exports_cut_total',
    help: 'Exports that were cut off: their reader was too slow, gave way to another workspace, or nothing was found for too long.',
    registers: [this.registry],
  });
  readonly eventsAccepted = new Counter({
    name: 'waypost_events_accepted_total',
    help: 'Events that were answered 202.',
    registers: [this.registry],
  });
  readonly eventsRefused = new Counter({
    name: 'waypost_events_refused_total',
    help: 'Events that were refused, by error code.',
    labelNames: ['code'] as const,
    registers: [this.registry],
  });
  readonly contactsBeyondLimit = new Counter({
    name: 'waypost_contacts_beyond_limit_total',
    help: 'Contacts of events that were not made, since the plan allows no more.',
    registers: [this.registry],
  });
  readonly contactChangesRefused = new Counter({
    name: 'waypost_contact_changes_refused_total',
    help: 'Changes of contacts by events and steps that were left out, since the contact would have outgrown its bounds.',
    registers: [this.registry],
  });
  readonly tripsStarted = new Counter({
    name: 'waypost_trips_started_total',
    help: 'Trips that were started.',
    registers: [this.registry],
  });
  readonly trips = new Counter({
    name: 'waypost_trip_decisions_total',
    help: 'Decisions of the trip engine, by outcome.',
    labelNames: ['outcome'] as const,
    registers: [this.registry],
  });
  readonly sends = new Counter({
    name: 'waypost_sends_total',
    help: 'Fates of messages, by outcome.',
    labelNames: ['outcome'] as const,
    registers: [this.registry],
  });
  readonly sendingPauses = new Counter({
    name: 'waypost_sending_pauses_total',
    help: 'Workspaces whose promotional mail has stopped by itself, by why.',
    labelNames: ['reason'],
    registers: [this.registry],
  });
  readonly notices = new Counter({
    name: 'waypost_notices_total',
    help: 'Attempts at mail of the product’s own to members, by what it is about and what came of them.',
    labelNames: ['kind', 'outcome'] as const,
    registers: [this.registry],
  });
  readonly reportRuns = new Counter({
    name: 'waypost_report_runs_total',
    help: 'Dates of reports that are mailed, by what came of them: sent, suspended, bounded (too much mail in a day), no_recipient (nobody has confirmed, or all have stopped), refused, known.',
    labelNames: ['outcome'] as const,
    registers: [this.registry],
  });
  readonly billingFailures = new Counter({
    name: 'waypost_billing_failures_total',
    help: 'Events of payment providers that were not applied, by why. They are kept, and can be replayed.',
    labelNames: ['reason'] as const,
    registers: [this.registry],
  });
  readonly failedDeletions = new Counter({
    name: 'waypost_workspace_deletions_failed_total',
    help: 'Attempts to delete a workspace of which a part has failed. They are repeated until nothing of it is left.',
    registers: [this.registry],
  });
  readonly feedback = new Counter({
    name: 'waypost_feedback_total',
    help: 'Words of messages that came back, by kind and by whether they were new, known or about no message of ours.',
    labelNames: ['kind', 'outcome'],
    registers: [this.registry],
  });
  readonly setAside = new Counter({
    name: 'waypost_set_aside_total',
    help: 'Work that was taken out of its queue, since repeating it did not mend what failed, by kind.',
    labelNames: ['kind'] as const,
    registers: [this.registry],
  });
  readonly queueDepth = new Gauge({
    name: 'waypost_stage_due_tenants',
    help: 'Tenants that have due work, by stage.',
    labelNames: ['stage'] as const,
    registers: [this.registry],
  });
  readonly queueAge = new Gauge({
    name: 'waypost_stage_oldest_seconds',
    help: 'Age of the oldest due work, by stage.',
    labelNames: ['stage'] as const,
    registers: [this.registry],
  });
  readonly threadTasks = new Counter({
    name: 'waypost_thread_tasks_total',
    help: 'Tasks of worker threads by how they ended: done, failed, or ended for their time or memory.',
    labelNames: ['task', 'outcome'] as const,
    registers: [this.registry],
  });
  readonly threadDuration = new Histogram({
    name: 'waypost_thread_task_duration_seconds',
    help: 'Duration of tasks on worker threads, without their waiting.',
    labelNames: ['task'] as const,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [this.registry],
  });
  readonly threadRefusals = new Counter({
    name: 'waypost_thread_refusals_total',
    help: 'Tasks that no thread took: the queue was full, the turn did not come, or the process was ending.',
    labelNames: ['reason'] as const,
    registers: [this.registry],
  });
  readonly threadsRunning = new Gauge({
    name: 'waypost_thread_tasks_running',
    help: 'Tasks that a worker thread works on.',
    registers: [this.registry],
  });
  readonly threadsWaiting = new Gauge({
    name: 'waypost_thread_queue_length',
    help: 'Tasks that wait for a worker thread.',
    registers: [this.registry],
  });

  constructor() {
    // Includes the event-loop lag (nodejs_eventloop_lag_*), memory and CPU.
    collectDefaultMetrics({ register: this.registry });
  }
}
