/** Sending domains: their keys, their records, and which of them mail may be sent from. */
import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { LimitsModule } from '../limits/limits.module.js';
import { DeadLettersModule } from '../dead-letters/dead-letters.module.js';
import { DnsLookup } from './application/dns-lookup.port.js';
import { DomainChanges } from './application/domain-changes.js';
import { DomainChecks } from './application/domain-checks.js';
import { DomainKeys } from './application/domain-keys.js';
import { DomainCheckDeadLetters } from './application/domain-check-dead-letters.js';
import { KeyResealing } from './application/key-resealing.js';
import { OwnDomainsService } from './application/own-domains.js';
import { SendingDomainService } from './application/sending-domain.service.js';
import { DomainWorkspacesRepository } from './persistence/domain-workspaces.repository.js';
import { SendingDomainRepository } from './persistence/sending-domain.repository.js';
import { NodeDnsLookup } from './transport/node-dns-lookup.js';

@Module({
  imports: [AuditModule, LimitsModule, DeadLettersModule],
  providers: [
    { provide: DnsLookup, useClass: NodeDnsLookup },
    DomainChanges,
    DomainChecks,
    DomainKeys,
    DomainWorkspacesRepository,
    DomainCheckDeadLetters,
    KeyResealing,
    OwnDomainsService,
    SendingDomainRepository,
    SendingDomainService,
  ],
  exports: [DomainChecks, DomainCheckDeadLetters, KeyResealing, OwnDomainsService, SendingDomainService],
})
export class DomainsModule {}
