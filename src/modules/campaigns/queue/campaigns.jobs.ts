/** The bell that says: this tenant has campaigns to look at. */
import { tenantBell } from '../../../platform/queue/job-contract.js';

export const CAMPAIGNS_BELL = tenantBell('campaigns.go-on', 'campaigns');
