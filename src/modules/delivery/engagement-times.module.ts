/** Statistics about when people open and click. */
import { Module } from '@nestjs/common';
import { MessageEngagementTimes } from './application/engagement-times.js';
import { EngagementTimesRepository } from './persistence/engagement-times.repository.js';

@Module({
  providers: [EngagementTimesRepository, MessageEngagementTimes],
  exports: [MessageEngagementTimes],
})
export class EngagementTimesModule {}
