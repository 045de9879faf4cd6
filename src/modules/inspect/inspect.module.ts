/** Inspects messages before they are sent: the services that the APIs and workers share. */
import { Module } from '@nestjs/common';
import { OutboundModule } from '../../platform/outbound/outbound.module.js';
import { MailSigner } from '../delivery/application/mail-signer.js';
import { DomainsModule } from '../domains/domains.module.js';
import { TemplatesModule } from '../templates/templates.module.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { DeliveredMessage } from './application/delivered-message.js';
import { PreflightService } from './application/preflight.service.js';
import { ResourceChecks } from './application/resource-checks.js';
import { ResourceFetcher } from './application/resource-fetcher.js';
import { SpamChecks } from './application/spam-checks.js';
import { SpamFilter } from './application/spam-filter.port.js';
import { InspectFetchRepository } from './persistence/inspect-fetch.repository.js';
import { SpamAssassin } from './transport/spam-assassin.js';

@Module({
  imports: [DomainsModule, OutboundModule, TemplatesModule, WorkspacesModule],
  providers: [
    DeliveredMessage,
    InspectFetchRepository,
    MailSigner,
    PreflightService,
    ResourceChecks,
    ResourceFetcher,
    SpamChecks,
    { provide: SpamFilter, useClass: SpamAssassin },
  ],
  exports: [PreflightService, ResourceChecks, SpamChecks],
})
export class InspectModule {}
