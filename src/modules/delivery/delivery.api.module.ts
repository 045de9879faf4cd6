/** The ledger and test emails with their REST and GraphQL endpoints. */
import { Module } from '@nestjs/common';
import { ContactsModule } from '../contacts/contacts.module.js';
import { DomainsModule } from '../domains/domains.module.js';
import { LimitsModule } from '../limits/limits.module.js';
import { PreferencesModule } from '../preferences/preferences.module.js';
import { SuppressionsModule } from '../suppressions/suppressions.module.js';
import { TemplatesModule } from '../templates/templates.module.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { DirectSendService } from './application/direct-send.service.js';
import { EmailLogSearchService } from './application/email-log-search.service.js';
import { MailSigner } from './application/mail-signer.js';
import { MessagePreferenceChecks } from './application/message-preference-checks.js';
import { MessageRequests } from './application/message-requests.js';
import { MessageTemplates } from './application/message-templates.js';
import { RecipientSendStates } from './application/recipient-send-states.js';
import { SendingStatusService } from './application/sending-status.service.js';
import { DeliveryModule } from './delivery.module.js';
import { EmailLogsResolver } from './graphql/email-logs.resolver.js';
import { PromotionalSendingResolver } from './graphql/promotional-sending.resolver.js';
import { SendingStatusResolver } from './graphql/sending-status.resolver.js';
import { TestSendResolver } from './graphql/test-send.resolver.js';
import { ResendService } from './application/resend.service.js';
import { EmailLogsController } from './http/email-logs.controller.js';
import { DirectSendController } from './http/direct-send.controller.js';
import { TestSendController } from './http/test-send.controller.js';
import { EmailLogRepository } from './persistence/email-log.repository.js';
import { MessageQueueRepository } from './persistence/message-queue.repository.js';
import { SendKeyRepository } from './persistence/send-key.repository.js';
import { SendingStatusRepository } from './persistence/sending-status.repository.js';
import { SendSimulationModule } from './send-simulation.module.js';
import { TestSendModule } from './test-send.module.js';

@Module({
  imports: [
    ContactsModule,
    DeliveryModule,
    DomainsModule,
    LimitsModule,
    PreferencesModule,
    SendSimulationModule,
    SuppressionsModule,
    TemplatesModule,
    TestSendModule,
    WorkspacesModule,
  ],
  controllers: [DirectSendController, EmailLogsController, TestSendController],
  providers: [
    DirectSendService,
    EmailLogRepository,
    EmailLogSearchService,
    EmailLogsResolver,
    MailSigner,
    MessagePreferenceChecks,
    MessageQueueRepository,
    MessageRequests,
    RecipientSendStates,
    MessageTemplates,
    ResendService,
    SendKeyRepository,
    PromotionalSendingResolver,
    SendingStatusRepository,
    SendingStatusResolver,
    SendingStatusService,
    TestSendResolver,
  ],
})
export class DeliveryApiModule {}
