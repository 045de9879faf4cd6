/** The log of changes for the dashboard. */
import { Module } from '@nestjs/common';
import { AuditModule } from './audit.module.js';
import { AuditResolver } from './graphql/audit.resolver.js';

@Module({ imports: [AuditModule], providers: [AuditResolver] })
export class AuditApiModule {}
