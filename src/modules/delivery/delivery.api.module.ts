/** The ledger with its faces. */
import { Module } from '@nestjs/common';
import { DeliveryModule } from './delivery.module.js';
import { EmailLogsResolver } from './graphql/email-logs.resolver.js';

@Module({ imports: [DeliveryModule], providers: [EmailLogsResolver] })
export class DeliveryApiModule {}
