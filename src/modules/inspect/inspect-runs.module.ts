/** Runs of quality analysis: requesting, making, reading and marking them; for the APIs, workers and the gate. */
import { Module } from '@nestjs/common';
import { ContactsModule } from '../contacts/contacts.module.js';
import { TemplatesModule } from '../templates/templates.module.js';
import { ContentCheck } from './application/content-check.js';
import { FindingFixes } from './application/finding-fixes.js';
import { InspectChecks } from './application/inspect-checks.js';
import { InspectConfigs } from './application/inspect-configs.js';
import { InspectCredits } from './application/inspect-credits.js';
import { InspectFindings } from './application/inspect-findings.js';
import { InspectResults } from './application/inspect-results.js';
import { InspectRunner } from './application/inspect-runner.js';
import { InspectRuns } from './application/inspect-runs.js';
import { InspectRenderingModule } from './inspect-rendering.module.js';
import { InspectModule } from './inspect.module.js';
import { InspectConfigRepository } from './persistence/inspect-config.repository.js';
import { InspectCreditRepository } from './persistence/inspect-credit.repository.js';
import { InspectFindingRepository } from './persistence/inspect-finding.repository.js';
import { InspectJobRepository } from './persistence/inspect-job.repository.js';
import { InspectMarkRepository } from './persistence/inspect-mark.repository.js';
import { InspectScreenshotRepository } from './persistence/inspect-screenshot.repository.js';
import { InspectWorkRepository } from './persistence/inspect-work.repository.js';

@Module({
  imports: [ContactsModule, InspectModule, InspectRenderingModule, TemplatesModule],
  providers: [
    ContentCheck,
    FindingFixes,
    InspectChecks,
    InspectConfigRepository,
    InspectConfigs,
    InspectCreditRepository,
    InspectCredits,
    InspectFindingRepository,
    InspectFindings,
    InspectJobRepository,
    InspectMarkRepository,
    InspectResults,
    InspectRunner,
    InspectRuns,
    InspectScreenshotRepository,
    InspectWorkRepository,
  ],
  exports: [FindingFixes, InspectConfigs, InspectCredits, InspectFindings, InspectRunner, InspectRuns],
})
export class InspectRunsModule {}
