/** Examining messages before they go out: the service that faces and workers share. */
import { Module } from '@nestjs/common';
import { MailSigner } from '../delivery/application/mail-signer.js';
import { DomainsModule } from '../domains/domains.module.js';
import { TemplatesModule } from '../templates/templates.module.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { DeliveredMessage } from './application/delivered-message.js';
import { PreflightService } from './application/preflight.service.js';
import { SpamChecks } from './application/spam-checks.js';
import { SpamFilter } from './application/spam-filter.port.js';
import { SpamAssassin } from './transport/spam-assassin.js';

@Module({
  imports: [DomainsModule, TemplatesModule, WorkspacesModule],
  providers: [
    DeliveredMessage,
    MailSigner,
    PreflightService,
    SpamChecks,
    { provide: SpamFilter, useClass: SpamAssassin },
  ],
  exports: [PreflightService, SpamChecks],
})
export class InspectModule {}
