/** Endpoints for feedback: the email provider's webhooks, and the messages' own links and images. */
import { Module } from '@nestjs/common';
import { TrackingModule } from '../tracking/tracking.module.js';
import { TrackedVisits } from './application/tracked-visits.js';
import { FeedbackModule } from './feedback.module.js';
import { EmailWebhookController } from './http/email-webhook.controller.js';
import { TrackingController } from './http/tracking.controller.js';

@Module({
  imports: [FeedbackModule, TrackingModule],
  controllers: [EmailWebhookController, TrackingController],
  providers: [TrackedVisits],
})
export class FeedbackApiModule {}
