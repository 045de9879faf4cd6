/** Migrations from other platforms and from files: the services that the APIs, workers and the command line share. */
import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { CredentialResealing } from './application/credential-resealing.js';
import { ImportCredentials } from './application/import-credentials.js';
import { ImportFiles } from './application/import-files.js';
import { ImportResults } from './application/import-results.js';
import { ImportsService } from './application/imports.service.js';
import { Sources } from './application/sources.js';
import { ImportFileRepository } from './persistence/import-file.repository.js';
import { ImportJobRepository } from './persistence/import-job.repository.js';
import { ImportResultsRepository } from './persistence/import-results.repository.js';
import { ImportWorkRepository } from './persistence/import-work.repository.js';

@Module({
  imports: [AuditModule],
  providers: [
    CredentialResealing,
    ImportCredentials,
    ImportFileRepository,
    ImportFiles,
    ImportJobRepository,
    ImportResults,
    ImportResultsRepository,
    ImportWorkRepository,
    ImportsService,
    Sources,
  ],
  exports: [CredentialResealing, ImportCredentials, ImportFiles, ImportResults, ImportsService, Sources],
})
export class ImportsModule {}
