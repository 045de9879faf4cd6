/** The sender: claims messages from the ledger and sends them. */
import { Module } from '@nestjs/common';
import { Sweeper } from '../../platform/queue/sweeper.js';
import { ContactsModule } from '../contacts/contacts.module.js';
import { SuppressionsModule } from '../suppressions/suppressions.module.js';
import { DomainsModule } from '../domains/domains.module.js';
import { LimitsModule } from '../limits/limits.module.js';
import { PreferencesModule } from '../preferences/preferences.module.js';
import { TemplatesModule } from '../templates/templates.module.js';
import { TrackingModule } from '../tracking/tracking.module.js';
import { UnsubscribeModule } from '../unsubscribe/unsubscribe.module.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { CampaignGate } from './application/campaign-gate.js';
import { MailTransports } from './application/mail-transport.port.js';
import { MailRoutes } from './application/mail-routes.js';
import { MailSigner } from './application/mail-signer.js';
import { MessagePauses } from './application/message-pauses.js';
import { MessageComposer } from './application/message-composer.js';
import { MessagePreferenceChecks } from './application/message-preference-checks.js';
import { RecipientSendStates } from './application/recipient-send-states.js';
import { MessageTemplates } from './application/message-templates.js';
import { MessageTexts } from './application/message-texts.js';
import { SendAttempts } from './application/send-attempts.js';
import { SendBatches } from './application/send-batches.js';
import { GateRulesReader } from './application/gate-rules-reader.js';
import { SendReviews } from './application/send-reviews.js';
import { SendReviewRepository } from './persistence/send-review.repository.js';
import { SendGates } from './application/send-gates.js';
import { ThrottleQueues } from './application/throttle-queues.js';
import { SenderService } from './application/sender.service.js';
import { SubjectTemplates } from './application/subject-templates.js';
import { DeliveryModule } from './delivery.module.js';
import { DueSendsRepository } from './persistence/due-sends.repository.js';
import { SendGatesRepository } from './persistence/send-gates.repository.js';
import { LatestEventsRepository } from './persistence/latest-events.repository.js';
import { SendLedgerRepository } from './persistence/send-ledger.repository.js';
import { ThrottleQueueRepository } from './persistence/throttle-queue.repository.js';
import { PromotionalSendingRepository } from './persistence/promotional-sending.repository.js';
import { SendsProcessor } from './queue/sends.processor.js';
import { SendsPoller } from './queue/sends.poller.js';
import { ConfiguredTransports } from './transport/configured-transports.js';

@Module({
  imports: [
    ContactsModule,
    DeliveryModule,
    SuppressionsModule,
    DomainsModule,
    LimitsModule,
    PreferencesModule,
    TemplatesModule,
    TrackingModule,
    UnsubscribeModule,
    WorkspacesModule,
  ],
  providers: [
    { provide: MailTransports, useClass: ConfiguredTransports },
    CampaignGate,
    DueSendsRepository,
    GateRulesReader,
    MailRoutes,
    MailSigner,
    MessageComposer,
    MessagePreferenceChecks,
    MessagePauses,
    RecipientSendStates,
    MessageTemplates,
    MessageTexts,
    SendAttempts,
    SendBatches,
    SendGates,
    SendGatesRepository,
    LatestEventsRepository,
    SendLedgerRepository,
    ThrottleQueueRepository,
    ThrottleQueues,
    SendReviewRepository,
    SendReviews,
    SenderService,
    PromotionalSendingRepository,
    SendsProcessor,
    SendsPoller,
    SubjectTemplates,
  ],
  exports: [SenderService],
})
export class DeliveryWorkerModule {
  constructor(sweeper: Sweeper, poller: SendsPoller) {
    sweeper.watch(poller);
  }
}
