/** The gate before templates are sent, and overrides to pass it (section 4.7). */
import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { TemplatesModule } from '../templates/templates.module.js';
import { InlineInspections } from './application/inline-inspections.js';
import { OverrideService } from './application/override.service.js';
import { PreSendCheck } from './application/pre-send-check.js';
import { GateInputLoader } from './application/gate-input-loader.js';
import { PreSendGate } from './application/pre-send-gate.js';
import { InspectRunsModule } from './inspect-runs.module.js';
import { GateRepository } from './persistence/gate.repository.js';
import { InspectConfigRepository } from './persistence/inspect-config.repository.js';
import { InspectJobRepository } from './persistence/inspect-job.repository.js';
import { InspectWorkRepository } from './persistence/inspect-work.repository.js';
import { OverrideRepository } from './persistence/override.repository.js';

@Module({
  imports: [AuditModule, InspectRunsModule, TemplatesModule],
  providers: [
    GateRepository,
    InlineInspections,
    InspectConfigRepository,
    InspectJobRepository,
    InspectWorkRepository,
    OverrideRepository,
    OverrideService,
    PreSendCheck,
    GateInputLoader,
    PreSendGate,
  ],
  exports: [OverrideService, PreSendCheck, PreSendGate],
})
export class InspectGateModule {}
