/** The worker that processes feedback about messages. */
import { Module } from '@nestjs/common';
import { Sweeper } from '../../platform/queue/sweeper.js';
import { SuppressionsModule } from '../suppressions/suppressions.module.js';
import { FeedbackPipeline } from './application/feedback-pipeline.js';
import { FeedbackModule } from './feedback.module.js';
import { DueFeedbackRepository } from './persistence/due-feedback.repository.js';
import { FeedbackRepository } from './persistence/feedback.repository.js';
import { ProviderEventDayRepository } from './persistence/provider-event-day.repository.js';
import { FeedbackProcessor } from './queue/feedback.processor.js';
import { FeedbackPoller } from './queue/feedback.poller.js';

@Module({
  imports: [FeedbackModule, SuppressionsModule],
  providers: [
    DueFeedbackRepository,
    FeedbackPipeline,
    FeedbackProcessor,
    FeedbackRepository,
    FeedbackPoller,
    ProviderEventDayRepository,
  ],
})
export class FeedbackWorkerModule {
  constructor(sweeper: Sweeper, poller: FeedbackPoller) {
    sweeper.watch(poller);
  }
}
