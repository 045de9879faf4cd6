/** Processes and deletes feedback about messages. */
import { earliestOfTenants } from '../../../platform/database/earliest-of-tenants.js';
import { defineWork } from '../../../platform/queue/define-work.js';
import { WAKE_UPS } from '../../../platform/queue/wake-ups.js';
import { SuppressionsModule } from '../../suppressions/suppressions.module.js';
import { FeedbackPipeline } from '../application/feedback-pipeline.js';
import { FeedbackModule } from '../feedback.module.js';
import { FeedbackRepository } from '../persistence/feedback.repository.js';
import { ProviderEventDayRepository } from '../persistence/provider-event-day.repository.js';

export const WORK = defineWork({
  wakeUp: WAKE_UPS.feedback,
  imports: [FeedbackModule, SuppressionsModule],
  providers: [FeedbackPipeline, FeedbackRepository, ProviderEventDayRepository],
  dueTenants: earliestOfTenants('FROM feedback WHERE due_at IS NOT NULL', 'due_at'),
  process: {
    with: FeedbackPipeline,
    run: (pipeline, scope, mayContinue) => pipeline.processPending(scope, mayContinue),
  },
});
