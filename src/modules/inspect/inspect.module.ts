/** Examining messages before they go out: the service that faces and workers share. */
import { Module } from '@nestjs/common';
import { DomainsModule } from '../domains/domains.module.js';
import { TemplatesModule } from '../templates/templates.module.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { PreflightService } from './application/preflight.service.js';

@Module({
  imports: [DomainsModule, TemplatesModule, WorkspacesModule],
  providers: [PreflightService],
  exports: [PreflightService],
})
export class InspectModule {}
