/** The ledger of messages: request messages and read their outcomes. */
import { Module } from '@nestjs/common';
import { EmailLogService } from './application/email-log.service.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { SetAsideModule } from '../set-aside/set-aside.module.js';
import { AuditModule } from '../audit/audit.module.js';
import { LimitsModule } from '../limits/limits.module.js';
import { CampaignMessages } from './application/campaign-messages.js';
import { ChargesGivenBack } from './application/charges-given-back.js';
import { HeldMessages } from './application/held-messages.js';
import { QueuedMessages } from './application/queued-messages.js';
import { MessageCancellation } from './application/message-cancellation.js';
import { MessagesUnderWay } from './application/messages-under-way.js';
import { MessageRepetition } from './application/message-repetition.js';
import { FeedbackTokens } from './application/feedback-tokens.js';
import { MessageEngagement } from './application/message-engagement.js';
import { MessageRefusals } from './application/message-refusals.js';
import { Outbox } from './application/outbox.js';
import { PromotionalSendings } from './application/promotional-sendings.js';
import { SendingTally } from './application/sending-tally.js';
import { SettledMessages } from './application/settled-messages.js';
import { TripMessages } from './application/trip-messages.js';
import { UntoldMessages } from './application/untold-messages.js';
import { SendLineRepository } from './persistence/send-line.repository.js';
import { SendReviewRepository } from './persistence/send-review.repository.js';
import { PromotionalSendingRepository } from './persistence/promotional-sending.repository.js';
import { CampaignMessagesRepository } from './persistence/campaign-messages.repository.js';
import { EmailLogRepository } from './persistence/email-log.repository.js';
import { MessageQueueRepository } from './persistence/message-queue.repository.js';
import { UnsubscribedMessages } from './application/unsubscribed-messages.js';
import { EngagementRepository } from './persistence/engagement.repository.js';

const OFFERED = [
  CampaignMessages,
  ChargesGivenBack,
  EmailLogService,
  FeedbackTokens,
  HeldMessages,
  MessageCancellation,
  MessageEngagement,
  MessageRefusals,
  MessagesUnderWay,
  MessageRepetition,
  Outbox,
  QueuedMessages,
  PromotionalSendings,
  SendingTally,
  SettledMessages,
  TripMessages,
  UntoldMessages,
];

@Module({
  imports: [AuditModule, LimitsModule, SetAsideModule, WorkspacesModule],
  providers: [
    UnsubscribedMessages,
    CampaignMessagesRepository,
    EmailLogRepository,
    MessageQueueRepository,
    EngagementRepository,
    SendLineRepository,
    SendReviewRepository,
    PromotionalSendingRepository,
    ...OFFERED,
  ],
  exports: [UnsubscribedMessages, ...OFFERED, SetAsideModule],
})
export class DeliveryModule {}
