/** Where the email provider says what became of messages. */
import { Module } from '@nestjs/common';
import { FeedbackModule } from './feedback.module.js';
import { EmailWebhookController } from './http/email-webhook.controller.js';

@Module({ imports: [FeedbackModule], controllers: [EmailWebhookController] })
export class FeedbackApiModule {}
