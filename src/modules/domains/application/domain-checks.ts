/** Checks the DNS records of domains, on schedule and on request. */
import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { BY_ITSELF, type Author } from '../../../kernel/principal.js';
import type { TenantScope, WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../../platform/config/config.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { Batches } from '../../set-aside/application/batches.js';
import { SetAsideList } from '../../set-aside/application/set-aside-list.js';
import { afterCheck, isOutrun } from '../domain/domain-check.js';
import { keyOf, questionsOf, type DnsAnswer, type RecordFinding } from '../domain/dns-record.js';
import { reasonOf } from '../domain/domain-words.js';
import { judge } from '../domain/judge-record.js';
import { domainScope, HELD, keyIn, recordsOfDomain, type SendingDomain } from '../domain/sending-domain.js';
import { SendingDomainRepository } from '../persistence/sending-domain.repository.js';
import { DnsLookup } from './dns-lookup.port.js';
import { DomainChanges } from './domain-changes.js';
import { DomainNews } from './domain-news.port.js';
import { DueDomainChecks } from './due-domain-checks.js';
import { KeyResealing } from './key-resealing.js';

/** Domains that are checked together, with at most nine DNS queries each. */
const BATCH = 5;

@Injectable()
export class DomainChecks {
  constructor(
    private readonly database: Database,
    private readonly domains: SendingDomainRepository,
    private readonly dns: DnsLookup,
    private readonly batches: Batches,
    private readonly list: SetAsideList,
    private readonly queue: DueDomainChecks,
    private readonly resealing: KeyResealing,
    private readonly changes: DomainChanges,
    private readonly news: DomainNews,
    private readonly clock: Clock,
    @Inject(RUNTIME_CONFIG) private readonly config: RuntimeConfig,
  ) {}

  /**
   * Checks the records of due domains until none is left or `mayGoOn` returns false.
   * @returns whether some may be left.
   */
  async checkDue(scope: TenantScope, mayGoOn: () => boolean): Promise<boolean> {
    return this.batches.run(scope, this.queue, { size: BATCH, mayGoOn }, async (limit, hold) => {
      const now = this.clock.now();
      const due = await this.database.inScope(scope, (tx) => this.domains.due(tx, scope, now, limit));
      await hold(due.map(({ id }) => id));
      await Promise.all(due.map((domain) => this.check(scope, domain, BY_ITSELF)));
      return { taken: due.length, more: due.length === limit };
    });
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
      const present = await this.domains.lock(tx, scope, domain.id);
      if (!present || isOutrun(present, askedAt)) return present;
      const checked = await this.store(tx, scope, present, { findings, askedAt });
      await this.resealing.reseal(tx, scope, domain);
      await this.list.forget(tx, scope, this.queue.kind, [domain.id]);
      await this.tell(tx, scope, present, checked, author);
      return checked;
    });
  }

  private async findingsOf(domain: SendingDomain): Promise<RecordFinding[]> {
    const records = recordsOfDomain(domain, this.config.sharedSendingDomain);
    const answers = await Promise.all(
      questionsOf(records).map(async (question): Promise<[string, DnsAnswer]> => [
        keyOf(question),
        await this.dns.ask(question),
      ]),
    );
    const byQuestion = new Map(answers);
    return records.map((record) => judge(record, byQuestion));
  }

  private async store(
    tx: Transaction,
    scope: WorkspaceScope,
    present: SendingDomain,
    { findings, askedAt }: { readonly findings: readonly RecordFinding[]; readonly askedAt: Date },
  ): Promise<SendingDomain> {
    const now = this.clock.now();
    const ground = { sharedDomain: this.config.sharedSendingDomain, askedAt, luck: Math.random() };
    const checked = afterCheck(present, findings, { ...ground, mayHold: true }, now);
    if (await this.domains.store(tx, scope, checked)) return checked;
    const refused = afterCheck(present, findings, { ...ground, mayHold: false }, now);
    await this.domains.store(tx, scope, refused);
    return refused;
  }

  private async tell(
    tx: Transaction,
    scope: WorkspaceScope,
    before: SendingDomain,
    domain: SendingDomain,
    author: Author,
  ): Promise<void> {
    if (before.status !== domain.status) {
      await this.changes.tell(tx, scope, {
        kind: 'status_changed',
        author,
        domain,
        formerStatus: before.status,
      });
      if (HELD.includes(before.status) && domain.status !== 'verified')
        await this.news.fallen(tx, scope, domain, reasonOf(domain, this.config.sharedSendingDomain));
    }
    if (keyIn(before, 'signing')?.id !== keyIn(domain, 'signing')?.id)
      await this.changes.tell(tx, scope, { kind: 'key_rotated', author, domain });
  }
}
