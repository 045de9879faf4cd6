/** Applies the events of payment providers. */
import { defineWork } from '../../../platform/queue/define-work.js';
import { WAKE_UPS } from '../../../platform/queue/wake-ups.js';
import { AuditModule } from '../../audit/audit.module.js';
import { LimitsModule } from '../../limits/limits.module.js';
import { WorkspaceBillingModule } from '../../workspaces/workspace-billing.module.js';
import { BillingChanges } from '../application/billing-changes.js';
import { BillingPipeline } from '../application/billing-pipeline.js';
import { BillingEventRepository } from '../persistence/billing-event.repository.js';
import { SubscriptionRepository } from '../persistence/subscription.repository.js';

/** Maximum events that are read. Later ones follow when these are done. */
const MAX_EVENTS = 1_000;

const EARLIEST = `
SELECT workspace_id, 'live' AS environment, min(due_at) AS due_at FROM (
  SELECT workspace_id, due_at FROM billing_events WHERE due_at IS NOT NULL ORDER BY due_at LIMIT ${MAX_EVENTS}) d
GROUP BY workspace_id`;

export const WORK = defineWork({
  wakeUp: WAKE_UPS.billing,
  imports: [AuditModule, LimitsModule, WorkspaceBillingModule],
  providers: [BillingChanges, BillingEventRepository, BillingPipeline, SubscriptionRepository],
  concurrency: 2,
  dueTenants: EARLIEST,
  process: {
    with: BillingPipeline,
    run: (pipeline, { workspaceId }, mayContinue) => pipeline.processPending({ workspaceId }, mayContinue),
  },
});
