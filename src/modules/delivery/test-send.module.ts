/** Test emails. The process that receives the request sends them. */
import { Module } from '@nestjs/common';
import { ContactsModule } from '../contacts/contacts.module.js';
import { DomainsModule } from '../domains/domains.module.js';
import { LimitsModule } from '../limits/limits.module.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { MailSigner } from './application/mail-signer.js';
import { TestSendService } from './application/test-send.service.js';
import { TestSendTransports } from './transport/test-send-transports.js';

@Module({
  imports: [ContactsModule, DomainsModule, LimitsModule, WorkspacesModule],
  providers: [MailSigner, TestSendService, TestSendTransports],
  exports: [TestSendService],
})
export class TestSendModule {}
