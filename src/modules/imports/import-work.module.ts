/** The work on migration jobs: reading a source and writing its records, in time slices. */
import { Module } from '@nestjs/common';
import { OutboundModule } from '../../platform/outbound/outbound.module.js';
import { ContactsModule } from '../contacts/contacts.module.js';
import { SuppressionsModule } from '../suppressions/suppressions.module.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { ContactImport } from './application/contact-import.js';
import { ImportJobs } from './application/import-jobs.js';
import { ImportRunner } from './application/import-runner.js';
import { ImportWriter } from './application/import-writer.js';
import { PlatformCallsFactory } from './application/platform-calls-factory.js';
import { ImportsModule } from './imports.module.js';
import { ImportResultsRepository } from './persistence/import-results.repository.js';
import { ImportSeenRepository } from './persistence/import-seen.repository.js';
import { ImportWorkRepository } from './persistence/import-work.repository.js';

@Module({
  imports: [ContactsModule, ImportsModule, OutboundModule, SuppressionsModule, WorkspacesModule],
  providers: [
    ContactImport,
    ImportJobs,
    ImportResultsRepository,
    ImportRunner,
    ImportSeenRepository,
    ImportWorkRepository,
    ImportWriter,
    PlatformCallsFactory,
  ],
  exports: [ImportJobs],
})
export class ImportWorkModule {}
