/** The service's metrics, for GET /metrics in Prometheus format. No label identifies a tenant. */
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
    help: 'Requests rejected by rate limits, by the limit reached: key, person, workspace, endpoint or network.',
    labelNames: ['window'] as const,
    registers: [this.registry],
  });
  readonly rateStoreFailures = new Counter({
    name: 'waypost_rate_limit_store_failures_total',
    help: 'Failures of the rate-limit store, during which the process counted on its own.',
    registers: [this.registry],
  });
  readonly databaseShortages = new Counter({
    name: 'waypost_database_shortages_total',
    help:
      'Transactions that failed because the database server lacked disk space, memory or connections, or was ' +
      'read-only, by SQLSTATE.',
    labelNames: ['sqlstate'] as const,
    registers: [this.registry],
  });
  readonly exportsCut = new Counter({
    name: 'waypost_exports_cut_total',
    help:
      'Exports that were cut off: the client was too slow, another workspace was waiting, or no row was found ' +
      'for too long.',
    registers: [this.registry],
  });
  readonly eventsAccepted = new Counter({
    name: 'waypost_events_accepted_total',
    help: 'Events accepted with status 202.',
    registers: [this.registry],
  });
  readonly eventsRefused = new Counter({
    name: 'waypost_events_refused_total',
    help: 'Events rejected, by error code.',
    labelNames: ['code'] as const,
    registers: [this.registry],
  });
  readonly contactsBeyondLimit = new Counter({
    name: 'waypost_contacts_beyond_limit_total',
    help: 'Contacts of events that were not created because the plan limit was reached.',
    registers: [this.registry],
  });
  readonly contactChangesRefused = new Counter({
    name: 'waypost_contact_changes_refused_total',
    help: 'Contact changes by events and steps that were skipped because the contact would have exceeded its limits.',
    registers: [this.registry],
  });
  readonly tripsStarted = new Counter({
    name: 'waypost_trips_started_total',
    help: 'Trips started.',
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
    help: 'Messages completed, by outcome.',
    labelNames: ['outcome'] as const,
    registers: [this.registry],
  });
  readonly sendingPauses = new Counter({
    name: 'waypost_sending_pauses_total',
    help: 'Automatic pauses of promotional mail, by reason.',
    labelNames: ['reason'],
    registers: [this.registry],
  });
  readonly notices = new Counter({
    name: 'waypost_notices_total',
    help: 'Attempts to send notices to members, by subject and outcome.',
    labelNames: ['kind', 'outcome'] as const,
    registers: [this.registry],
  });
  readonly reportRuns = new Counter({
    name: 'waypost_report_runs_total',
    help:
      'Scheduled report runs, by outcome: sent, suspended, bounded (daily email limit reached), no_recipient ' +
      '(no recipient has confirmed, or all have stopped), refused, known.',
    labelNames: ['outcome'] as const,
    registers: [this.registry],
  });
  readonly billingFailures = new Counter({
    name: 'waypost_billing_failures_total',
    help: 'Payment provider events that were not applied, by reason. They are stored and can be replayed.',
    labelNames: ['reason'] as const,
    registers: [this.registry],
  });
  readonly failedDeletions = new Counter({
    name: 'waypost_workspace_deletions_failed_total',
    help: 'Attempts to delete a workspace that partly failed. They are retried until all of its data is deleted.',
    registers: [this.registry],
  });
  readonly feedback = new Counter({
    name: 'waypost_feedback_total',
    help: 'Feedback on messages, by kind and by whether it was new, a duplicate or unmatched.',
    labelNames: ['kind', 'outcome'],
    registers: [this.registry],
  });
  readonly deadLetters = new Counter({
    name: 'waypost_set_aside_total',
    help: 'Dead letters: work removed from its queue because retries could not succeed, by kind.',
    labelNames: ['kind'] as const,
    registers: [this.registry],
  });
  readonly queueDepth = new Gauge({
    name: 'waypost_stage_due_tenants',
    help: 'Tenants with due work, by poller.',
    labelNames: ['stage'] as const,
    registers: [this.registry],
  });
  readonly queueAge = new Gauge({
    name: 'waypost_stage_oldest_seconds',
    help: 'Age of the oldest due work, by poller.',
    labelNames: ['stage'] as const,
    registers: [this.registry],
  });
  readonly threadTasks = new Counter({
    name: 'waypost_thread_tasks_total',
    help: 'Worker thread tasks by outcome: done, failed, or terminated for exceeding their time or memory limit.',
    labelNames: ['task', 'outcome'] as const,
    registers: [this.registry],
  });
  readonly threadDuration = new Histogram({
    name: 'waypost_thread_task_duration_seconds',
    help: 'Duration of worker thread tasks, excluding queue time.',
    labelNames: ['task'] as const,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [this.registry],
  });
  readonly threadRefusals = new Counter({
    name: 'waypost_thread_refusals_total',
    help:
      'Tasks rejected by worker threads: the queue was full, the wait was too long, or the process was ' +
      'shutting down.',
    labelNames: ['reason'] as const,
    registers: [this.registry],
  });
  readonly threadsRunning = new Gauge({
    name: 'waypost_thread_tasks_running',
    help: 'Tasks running on a worker thread.',
    registers: [this.registry],
  });
  readonly threadsWaiting = new Gauge({
    name: 'waypost_thread_queue_length',
    help: 'Tasks waiting for a worker thread.',
    registers: [this.registry],
  });

  constructor() {
    // Includes the event-loop lag (nodejs_eventloop_lag_*), memory and CPU.
    collectDefaultMetrics({ register: this.registry });
  }
}
