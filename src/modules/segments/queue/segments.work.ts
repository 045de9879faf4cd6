/** Updates the members of segments. */
import { earliestOfTenants } from '../../../platform/database/earliest-of-tenants.js';
import { defineWork } from '../../../platform/queue/define-work.js';
import { WAKE_UPS } from '../../../platform/queue/wake-ups.js';
import { SegmentRefreshService } from '../application/segment-refresh.service.js';
import { SegmentsModule } from '../segments.module.js';

/** Each tenant with the time of its earliest touch or refresh. */
const EARLIEST = `
SELECT workspace_id, environment, min(due_at) AS due_at FROM (
  (${earliestOfTenants('FROM segment_touches WHERE touched_at IS NOT NULL', 'touched_at')})
  UNION ALL
  (${earliestOfTenants('FROM segment_refreshes WHERE refresh_at IS NOT NULL', 'refresh_at')})) AS due
GROUP BY workspace_id, environment`;

export const WORK = defineWork({
  wakeUp: WAKE_UPS.segments,
  imports: [SegmentsModule],
  // Two, so that a large tenant does not block the others, and the database is not overloaded.
  concurrency: 2,
  dueTenants: EARLIEST,
  process: {
    with: SegmentRefreshService,
    run: (refresh, scope, mayContinue) => refresh.runDueWork(scope, mayContinue),
  },
});
