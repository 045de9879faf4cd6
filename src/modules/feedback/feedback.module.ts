/** Feedback about messages: its intake and its queue. */
import { Module } from '@nestjs/common';
import { DeliveryModule } from '../delivery/delivery.module.js';
import { SuppressionsModule } from '../suppressions/suppressions.module.js';
import { FeedbackIntake } from './application/feedback-intake.js';
import { MailReports } from './application/mail-reports.js';
import { RefusedAddresses } from './application/refused-addresses.js';
import { StandingFeedback } from './application/standing-feedback.js';
import { WaitingFeedback } from './application/waiting-feedback.js';
import { FeedbackRepository } from './persistence/feedback.repository.js';

@Module({
  imports: [DeliveryModule, SuppressionsModule],
  providers: [
    FeedbackIntake,
    FeedbackRepository,
    MailReports,
    RefusedAddresses,
    StandingFeedback,
    WaitingFeedback,
  ],
  exports: [DeliveryModule, FeedbackIntake, MailReports, RefusedAddresses, StandingFeedback, WaitingFeedback],
})
export class FeedbackModule {}
