/** The ledger with its faces, and test emails, which are sent by the process that is asked for them. */
import { Module } from '@nestjs/common';
import { ContactsModule } from '../contacts/contacts.module.js';
import { DomainsModule } from '../domains/domains.module.js';
import { LimitsModule } from '../limits/limits.module.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { MailSigner } from './application/mail-signer.js';
import { TestSendService } from './application/test-send.service.js';
import { DeliveryModule } from './delivery.module.js';
import { EmailLogsResolver } from './graphql/email-logs.resolver.js';
import { SendingStandingResolver } from './graphql/sending-standing.resolver.js';
import { TestSendResolver } from './graphql/test-send.resolver.js';
import { TestSendController } from './http/test-send.controller.js';
import { TestSendTransports } from './transport/test-send-transports.js';

@Module({
  imports: [ContactsModule, DeliveryModule, DomainsModule, LimitsModule, WorkspacesModule],
  controllers: [TestSendController],
  providers: [
    EmailLogsResolver,
    MailSigner,
    SendingStandingResolver,
    TestSendResolver,
    TestSendService,
    TestSendTransports,
  ],
})
export class DeliveryApiModule {}
