/** Erases a contact's data in feedback. */
import { Module } from '@nestjs/common';
import { FeedbackErasure } from './application/feedback-erasure.js';
import { FeedbackRepository } from './persistence/feedback.repository.js';

@Module({ providers: [FeedbackErasure, FeedbackRepository], exports: [FeedbackErasure] })
export class FeedbackErasureModule {}
