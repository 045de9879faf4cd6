/** Sending domains for the dashboard. */
import { Module } from '@nestjs/common';
import { DomainsModule } from './domains.module.js';
import { SendingDomainsResolver } from './graphql/sending-domains.resolver.js';

@Module({ imports: [DomainsModule], providers: [SendingDomainsResolver] })
export class DomainsApiModule {}
