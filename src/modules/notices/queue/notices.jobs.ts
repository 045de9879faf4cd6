/** The bell that says: this workspace has mail of the product's own that is due. */
import { tenantBell } from '../../../platform/queue/job-contract.js';

export const NOTICES_BELL = tenantBell('notices.send', 'notices');
