/** Feedback about messages: its intake and its queue. */
import { Module } from '@nestjs/common';
import { DeliveryModule } from '../delivery/delivery.module.js';
import { SuppressionsModule } from '../suppressions/suppressions.module.js';
import { FeedbackIntake } from './application/feedback-intake.js';
import { MailReports } from './application/mail-reports.js';
import { RejectedAddresses } from './application/rejected-addresses.js';
import { SendingFeedbackCounters } from './application/sending-feedback-counters.js';
import { FeedbackDeadLetters } from './application/feedback-dead-letters.js';
import { FeedbackRepository } from './persistence/feedback.repository.js';

@Module({
  imports: [DeliveryModule, SuppressionsModule],
  providers: [
    FeedbackIntake,
    FeedbackRepository,
    MailReports,
    RejectedAddresses,
    SendingFeedbackCounters,
    FeedbackDeadLetters,
  ],
  exports: [
    DeliveryModule,
    FeedbackIntake,
    MailReports,
    RejectedAddresses,
    SendingFeedbackCounters,
    FeedbackDeadLetters,
  ],
})
export class FeedbackModule {}
