/** The wake-up job that says only that a tenant has due campaigns. */
import { tenantWakeUp } from '../../../platform/queue/job-contract.js';

export const CAMPAIGNS_WAKE_UP = tenantWakeUp('campaigns.go-on', 'campaigns');
