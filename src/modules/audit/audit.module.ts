/** The audit log of the control plane. */
import { Module } from '@nestjs/common';
import { AuditLog } from './application/audit-log.js';
import { AuditRepository } from './persistence/audit.repository.js';

@Module({ providers: [AuditLog, AuditRepository], exports: [AuditLog] })
export class AuditModule {}
