/** The dashboard API of the audit log. */
import { Module } from '@nestjs/common';
import { AuditModule } from './audit.module.js';
import { AuditResolver } from './graphql/audit.resolver.js';

@Module({ imports: [AuditModule], providers: [AuditResolver] })
export class AuditApiModule {}
