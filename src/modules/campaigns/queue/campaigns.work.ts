/** Advances due campaigns. */
import { earliestOfTenants } from '../../../platform/database/earliest-of-tenants.js';
import { defineWork } from '../../../platform/queue/define-work.js';
import { WAKE_UPS } from '../../../platform/queue/wake-ups.js';
import { CampaignRunner } from '../application/campaign-runner.js';
import { CampaignsModule } from '../campaigns.module.js';

/** Each tenant's earliest due time, however many campaigns wait. */
const DUE = `
SELECT workspace_id, environment, min(due_at) AS due_at FROM (
  (${earliestOfTenants('FROM campaigns WHERE look_at IS NOT NULL', 'look_at')})
  UNION ALL
  SELECT workspace_id, environment, $1::timestamptz FROM campaign_signals) AS d
GROUP BY workspace_id, environment`;

export const WORK = defineWork({
  wakeUp: WAKE_UPS.campaigns,
  imports: [CampaignsModule],
  dueTenants: { sql: DUE, values: (now) => [now] },
  process: {
    with: CampaignRunner,
    run: (runner, scope, mayContinue) => runner.runDueCampaigns(scope, mayContinue),
  },
});
