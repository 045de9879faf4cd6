/** How quality analysis reacts to changes in lower modules: saved templates, and new billing periods. */
import { Module } from '@nestjs/common';
import { AutoRuns } from './application/auto-runs.js';
import { CreditRenewal } from './application/credit-renewal.js';
import { InspectCredits } from './application/inspect-credits.js';
import { InspectConfigRepository } from './persistence/inspect-config.repository.js';
import { InspectCreditRepository } from './persistence/inspect-credit.repository.js';
import { InspectFindingRepository } from './persistence/inspect-finding.repository.js';
import { InspectJobRepository } from './persistence/inspect-job.repository.js';
import { InspectMarkRepository } from './persistence/inspect-mark.repository.js';
import { InspectScreenshotRepository } from './persistence/inspect-screenshot.repository.js';

@Module({
  providers: [
    AutoRuns,
    CreditRenewal,
    InspectConfigRepository,
    InspectCreditRepository,
    InspectCredits,
    InspectFindingRepository,
    InspectJobRepository,
    InspectMarkRepository,
    InspectScreenshotRepository,
  ],
  exports: [AutoRuns, CreditRenewal],
})
export class InspectChangesModule {}
