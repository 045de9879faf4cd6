/** The ledger of messages: asking for messages and reading what became of them. */
import { Module } from '@nestjs/common';
import { EmailLogService } from './application/email-log.service.js';
import { MessageCancellation } from './application/message-cancellation.js';
import { Outbox } from './application/outbox.js';
import { EmailLogRepository } from './persistence/email-log.repository.js';

const OFFERED = [EmailLogService, MessageCancellation, Outbox];

@Module({ providers: [EmailLogRepository, ...OFFERED], exports: OFFERED })
export class DeliveryModule {}
