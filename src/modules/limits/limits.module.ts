/** Plans, caps, their monthly usage, and request-rate windows, section 8. */
import { Module } from '@nestjs/common';
import { AllowanceService } from './application/allowance.service.js';
import { MonthlyUsage } from './application/monthly-usage.js';
import { RateLimitService } from './application/rate-limit.service.js';
import { AllowanceRepository } from './persistence/allowance.repository.js';
import { MonthlyUsageRepository } from './persistence/monthly-usage.repository.js';

@Module({
  providers: [AllowanceRepository, AllowanceService, MonthlyUsage, MonthlyUsageRepository, RateLimitService],
  exports: [AllowanceService, MonthlyUsage, RateLimitService],
})
export class LimitsModule {}
