/** The ledger of messages: request messages and read their outcomes. */
import { Module } from '@nestjs/common';
import { EmailLogService } from './application/email-log.service.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { DeadLettersModule } from '../dead-letters/dead-letters.module.js';
import { AuditModule } from '../audit/audit.module.js';
import { LimitsModule } from '../limits/limits.module.js';
import { CampaignMessages } from './application/campaign-messages.js';
import { ChargeReversals } from './application/charge-reversals.js';
import { HeldMessages } from './application/held-messages.js';
import { SendDeadLetters } from './application/send-dead-letters.js';
import { MessageCancellation } from './application/message-cancellation.js';
import { InFlightMessages } from './application/in-flight-messages.js';
import { MessageRepetition } from './application/message-repetition.js';
import { FeedbackTokens } from './application/feedback-tokens.js';
import { MessageEngagement } from './application/message-engagement.js';
import { MessageRejections } from './application/message-rejections.js';
import { Outbox } from './application/outbox.js';
import { PromotionalSendings } from './application/promotional-sendings.js';
import { SendingCounters } from './application/sending-counters.js';
import { SettledMessages } from './application/settled-messages.js';
import { TripMessages } from './application/trip-messages.js';
import { AnnouncementDeadLetters } from './application/announcement-dead-letters.js';
import { ThrottleQueueRepository } from './persistence/throttle-queue.repository.js';
import { SendReviewRepository } from './persistence/send-review.repository.js';
import { PromotionalSendingRepository } from './persistence/promotional-sending.repository.js';
import { CampaignMessagesRepository } from './persistence/campaign-messages.repository.js';
import { EmailLogRepository } from './persistence/email-log.repository.js';
import { MessageQueueRepository } from './persistence/message-queue.repository.js';
import { UnsubscribedMessages } from './application/unsubscribed-messages.js';
import { EngagementRepository } from './persistence/engagement.repository.js';

const EXPORTED = [
  CampaignMessages,
  ChargeReversals,
  EmailLogService,
  FeedbackTokens,
  HeldMessages,
  MessageCancellation,
  MessageEngagement,
  MessageRejections,
  InFlightMessages,
  MessageRepetition,
  Outbox,
  SendDeadLetters,
  PromotionalSendings,
  SendingCounters,
  SettledMessages,
  TripMessages,
  AnnouncementDeadLetters,
];

@Module({
  imports: [AuditModule, LimitsModule, DeadLettersModule, WorkspacesModule],
  providers: [
    UnsubscribedMessages,
    CampaignMessagesRepository,
    EmailLogRepository,
    MessageQueueRepository,
    EngagementRepository,
    ThrottleQueueRepository,
    SendReviewRepository,
    PromotionalSendingRepository,
    ...EXPORTED,
  ],
  exports: [UnsubscribedMessages, ...EXPORTED, DeadLettersModule],
})
export class DeliveryModule {}
