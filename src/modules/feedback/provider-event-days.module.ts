/** Whether a provider reports events about messages. */
import { Module } from '@nestjs/common';
import { ProviderEventDays } from './application/provider-event-days.js';
import { ProviderEventDayRepository } from './persistence/provider-event-day.repository.js';

@Module({
  providers: [ProviderEventDayRepository, ProviderEventDays],
  exports: [ProviderEventDays],
})
export class ProviderEventDaysModule {}
