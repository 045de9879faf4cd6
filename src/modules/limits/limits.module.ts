/** Plans, caps and request-rate windows, section 8. */
import { Module } from '@nestjs/common';
import { RateLimitService } from './application/rate-limit.service.js';

@Module({ providers: [RateLimitService], exports: [RateLimitService] })
export class LimitsModule {}
