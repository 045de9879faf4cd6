/** The wake-up job that says only that a tenant has due campaigns. */
import { tenantBell } from '../../../platform/queue/job-contract.js';

export const CAMPAIGNS_BELL = tenantBell('campaigns.go-on', 'campaigns');
