/** Plans, caps, their monthly usage, and request-rate windows, section 8. */
import { Module } from '@nestjs/common';
import { RateLimitService } from './application/rate-limit.service.js';
import { MonthlyUsageRepository } from './persistence/monthly-usage.repository.js';

@Module({
  providers: [MonthlyUsageRepository, RateLimitService],
  exports: [MonthlyUsageRepository, RateLimitService],
})
export class LimitsModule {}
