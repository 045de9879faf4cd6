/** Examining messages before they go out: the service that faces and workers share. */
import { Module } from '@nestjs/common';
import { OutboundModule } from '../../platform/outbound/outbound.module.js';
import { DomainsModule } from '../domains/domains.module.js';
import { TemplatesModule } from '../templates/templates.module.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { PreflightService } from './application/preflight.service.js';
import { ResourceChecks } from './application/resource-checks.js';
import { ResourceFetcher } from './application/resource-fetcher.js';
import { InspectFetchRepository } from './persistence/inspect-fetch.repository.js';

@Module({
  imports: [DomainsModule, OutboundModule, TemplatesModule, WorkspacesModule],
  providers: [InspectFetchRepository, PreflightService, ResourceChecks, ResourceFetcher],
  exports: [PreflightService],
})
export class InspectModule {}
