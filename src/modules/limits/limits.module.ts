/** Plans, caps, their monthly usage, and request-rate windows, section 8. */
import { Module } from '@nestjs/common';
import { AllowanceService } from './application/allowance.service.js';
import { MonthlyEmails } from './application/monthly-emails.js';
import { MonthlyUsage } from './application/monthly-usage.js';
import { RateLimitService } from './application/rate-limit.service.js';
import { UsageRenewal } from './application/usage-renewal.js';
import { AllowanceRepository } from './persistence/allowance.repository.js';
import { MonthlyEmailsRepository } from './persistence/monthly-emails.repository.js';
import { MonthlyUsageRepository } from './persistence/monthly-usage.repository.js';

@Module({
  providers: [
    AllowanceRepository,
    AllowanceService,
    MonthlyEmails,
    MonthlyEmailsRepository,
    MonthlyUsage,
    MonthlyUsageRepository,
    RateLimitService,
    UsageRenewal,
  ],
  exports: [AllowanceService, MonthlyEmails, MonthlyUsage, RateLimitService, UsageRenewal],
})
export class LimitsModule {}
