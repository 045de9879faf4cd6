/** Plans, caps, their monthly usage, and request-rate windows, section 8. */
import { Module } from '@nestjs/common';
import { MonthlyUsage } from './application/monthly-usage.js';
import { RateLimitService } from './application/rate-limit.service.js';
import { MonthlyUsageRepository } from './persistence/monthly-usage.repository.js';

@Module({
  providers: [MonthlyUsage, MonthlyUsageRepository, RateLimitService],
  exports: [MonthlyUsage, RateLimitService],
})
export class LimitsModule {}
