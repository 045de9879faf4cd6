/** Checks the DNS records of sending domains periodically. */
import { defineWork } from '../../../platform/queue/define-work.js';
import { WAKE_UPS } from '../../../platform/queue/wake-ups.js';
import { DomainChecks } from '../application/domain-checks.js';
import { DomainsModule } from '../domains.module.js';

/** Skips along the index from workspace to workspace. The environment is that of `domainScope`. */
const EARLIEST_CHECKS = `
WITH RECURSIVE due AS (
  (SELECT workspace_id, check_at FROM sending_domains WHERE check_at IS NOT NULL
   ORDER BY workspace_id, check_at LIMIT 1)
  UNION ALL
  SELECT next.* FROM due AS last, LATERAL (
    SELECT d.workspace_id, d.check_at FROM sending_domains d
    WHERE d.workspace_id > last.workspace_id AND d.check_at IS NOT NULL
    ORDER BY d.workspace_id, d.check_at LIMIT 1) AS next)
SELECT workspace_id, 'live' AS environment, check_at AS due_at FROM due`;

export const WORK = defineWork({
  wakeUp: WAKE_UPS.domains,
  imports: [DomainsModule],
  // A job spends most of its time waiting for DNS servers.
  concurrency: 4,
  dueTenants: EARLIEST_CHECKS,
  process: { with: DomainChecks, run: (checks, scope, mayContinue) => checks.checkDue(scope, mayContinue) },
});
