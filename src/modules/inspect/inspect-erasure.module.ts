/** Erases a contact's data from runs of quality analysis. */
import { Module } from '@nestjs/common';
import { InspectErasure } from './application/inspect-erasure.js';
import { InspectFindingRepository } from './persistence/inspect-finding.repository.js';
import { InspectJobRepository } from './persistence/inspect-job.repository.js';
import { InspectScreenshotRepository } from './persistence/inspect-screenshot.repository.js';

@Module({
  providers: [InspectErasure, InspectFindingRepository, InspectJobRepository, InspectScreenshotRepository],
  exports: [InspectErasure],
})
export class InspectErasureModule {}
