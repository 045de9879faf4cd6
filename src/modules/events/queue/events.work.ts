/** Processes accepted events. */
import { earliestOfTenants } from '../../../platform/database/earliest-of-tenants.js';
import { defineWork } from '../../../platform/queue/define-work.js';
import { WAKE_UPS } from '../../../platform/queue/wake-ups.js';
import { ContactsModule } from '../../contacts/contacts.module.js';
import { WorkspacesModule } from '../../workspaces/workspaces.module.js';
import { EventPipeline } from '../application/event-pipeline.js';
import { EventsModule } from '../events.module.js';
import { EventRepository } from '../persistence/event.repository.js';
import { LatestEventRepository } from '../persistence/latest-event.repository.js';

/** The time comes from the oldest event's UUIDv7, limited to the current time. */
const PENDING_TENANTS = `
SELECT workspace_id, environment,
  least($1::timestamptz, to_timestamp(('x' || translate(left(due_at::text, 13), '-', ''))::bit(48)::bigint / 1000.0)) AS due_at
FROM (${earliestOfTenants('FROM events WHERE processed_at IS NULL', 'id')}) AS oldest`;

export const WORK = defineWork({
  wakeUp: WAKE_UPS.events,
  imports: [ContactsModule, EventsModule, WorkspacesModule],
  providers: [EventPipeline, EventRepository, LatestEventRepository],
  dueTenants: { sql: PENDING_TENANTS, values: (now) => [now] },
  process: {
    with: EventPipeline,
    run: (pipeline, scope, mayContinue) => pipeline.processPending(scope, mayContinue),
  },
});
