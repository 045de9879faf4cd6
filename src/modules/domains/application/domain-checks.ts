/** Checks the DNS records of domains, on schedule and on request. */
import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { SYSTEM_AUTHOR, type Author } from '../../../kernel/principal.js';
import type { TenantScope, WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../../platform/config/config.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { Batches } from '../../dead-letters/application/batches.js';
import { DeadLetterList } from '../../dead-letters/application/dead-letter-list.js';
import { afterCheck, isSuperseded } from '../domain/domain-check.js';
import { dnsQuestionKey, questionsOf, type DnsAnswer, type RecordFinding } from '../domain/dns-record.js';
import { domainStatusReason } from '../domain/domain-messages.js';
import { judgeRecord } from '../domain/judge-record.js';
import {
  domainScope,
  USABLE_STATUSES,
  keyIn,
  recordsOfDomain,
  type SendingDomain,
} from '../domain/sending-domain.js';
import { SendingDomainRepository } from '../persistence/sending-domain.repository.js';
import { DnsLookup } from './dns-lookup.port.js';
import { DomainChanges } from './domain-changes.js';
import { DomainNotifications } from './domain-notifications.port.js';
import { DomainCheckDeadLetters } from './domain-check-dead-letters.js';
import { KeyResealing } from './key-resealing.js';

/** Domains that are checked together, with at most nine DNS queries each. */
const BATCH_SIZE = 5;

@Injectable()
export class DomainChecks {
  constructor(
    private readonly database: Database,
    private readonly domains: SendingDomainRepository,
    private readonly dns: DnsLookup,
    private readonly batches: Batches,
    private readonly deadLetters: DeadLetterList,
    private readonly checkDeadLetters: DomainCheckDeadLetters,
    private readonly resealing: KeyResealing,
    private readonly changes: DomainChanges,
    private readonly notifications: DomainNotifications,
    private readonly clock: Clock,
    @Inject(RUNTIME_CONFIG) private readonly config: RuntimeConfig,
  ) {}

  /**
   * Checks the records of due domains until none is left or `mayContinue` returns false.
   * @returns whether some may be left.
   */
  async checkDue(scope: TenantScope, mayContinue: () => boolean): Promise<boolean> {
    return this.batches.run(
      scope,
      this.checkDeadLetters,
      { size: BATCH_SIZE, mayContinue },
      async (limit, claim) => {
        const now = this.clock.now();
        const due = await this.database.inScope(scope, (tx) => this.domains.due(tx, scope, now, limit));
        await claim(due.map(({ id }) => id));
        await Promise.all(due.map((domain) => this.check(scope, domain, SYSTEM_AUTHOR)));
        return { taken: due.length, more: due.length === limit };
      },
    );
  }

  /**
   * Checks the records of a domain now.
   * @param author who requests the check.
   * @returns the domain after this check, or after a later check that was answered sooner; undefined when it was
   *   removed meanwhile.
   */
  async check(
    workspace: WorkspaceScope,
    domain: SendingDomain,
    author: Author,
  ): Promise<SendingDomain | undefined> {
    const scope = domainScope(workspace);
    // No transaction is open during DNS queries.
    const askedAt = this.clock.now();
    const findings = await this.findingsOf(domain);
    return this.database.inScope(scope, async (tx) => {
      const current = await this.domains.lock(tx, scope, domain.id);
      if (!current || isSuperseded(current, askedAt)) return current;
      const checked = await this.store(tx, scope, current, { findings, askedAt });
      await this.resealing.reseal(tx, scope, domain);
      await this.deadLetters.remove(tx, scope, this.checkDeadLetters.kind, [domain.id]);
      await this.reportChange(tx, scope, current, checked, author);
      return checked;
    });
  }

  private async findingsOf(domain: SendingDomain): Promise<RecordFinding[]> {
    const records = recordsOfDomain(domain, this.config.sharedSendingDomain);
    const answers = await Promise.all(
      questionsOf(records).map(async (question): Promise<[string, DnsAnswer]> => [
        dnsQuestionKey(question),
        await this.dns.query(question),
      ]),
    );
    const byQuestion = new Map(answers);
    return records.map((record) => judgeRecord(record, byQuestion));
  }

  private async store(
    tx: Transaction,
    scope: WorkspaceScope,
    current: SendingDomain,
    { findings, askedAt }: { readonly findings: readonly RecordFinding[]; readonly askedAt: Date },
  ): Promise<SendingDomain> {
    const now = this.clock.now();
    const inputs = { sharedDomain: this.config.sharedSendingDomain, askedAt, jitter: Math.random() };
    const checked = afterCheck(current, findings, { ...inputs, mayHold: true }, now);
    if (await this.domains.store(tx, scope, checked)) return checked;
    const refused = afterCheck(current, findings, { ...inputs, mayHold: false }, now);
    await this.domains.store(tx, scope, refused);
    return refused;
  }

  private async reportChange(
    tx: Transaction,
    scope: WorkspaceScope,
    before: SendingDomain,
    domain: SendingDomain,
    author: Author,
  ): Promise<void> {
    if (before.status !== domain.status) {
      await this.changes.report(tx, scope, {
        kind: 'status_changed',
        author,
        domain,
        formerStatus: before.status,
      });
      if (USABLE_STATUSES.includes(before.status) && domain.status !== 'verified')
        await this.notifications.notifyFailing(
          tx,
          scope,
          domain,
          domainStatusReason(domain, this.config.sharedSendingDomain),
        );
    }
    if (keyIn(before, 'signing')?.id !== keyIn(domain, 'signing')?.id)
      await this.changes.report(tx, scope, { kind: 'key_rotated', author, domain });
  }
}
