/** The sending domains of a workspace: its members add, check and remove them and rotate their keys. */
import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { DomainError, invalidFields } from '../../../kernel/domain-error.js';
import { HOUR } from '../../../kernel/duration.js';
import { sliceOf, type Slice, type PageRequest } from '../../../kernel/page-cursor.js';
import type { Author } from '../../../kernel/principal.js';
import { isUuid, type WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { uuidv7 } from '../../../kernel/uuid.js';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../../platform/config/config.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { Dispatcher } from '../../../platform/queue/dispatcher.js';
import { WAKE_UPS } from '../../../platform/queue/wake-ups.js';
import { AllowanceService } from '../../limits/application/allowance.service.js';
import type { Allowance } from '../../limits/domain/allowance.js';
import { DeadLetterList } from '../../dead-letters/application/dead-letter-list.js';
import { isWithin, readDomainName } from '../domain/domain-name.js';
import {
  domainScope,
  keyIn,
  MAX_DOMAINS,
  type DkimKey,
  type SendingDomain,
} from '../domain/sending-domain.js';
import { SendingDomainRepository, type StoredKey } from '../persistence/sending-domain.repository.js';
import { DomainChanges } from './domain-changes.js';
import { DomainChecks } from './domain-checks.js';
import { DomainKeys, makeKey } from './domain-keys.js';

/** Creating a key costs processor time, and a check uses other people's DNS servers. */
const ALLOWANCE: Allowance = { name: 'changes and checks of sending domains', limit: 60, windowMs: HOUR };
const TOKEN_BYTES = 18;

@Injectable()
export class SendingDomainService {
  constructor(
    private readonly database: Database,
    private readonly domains: SendingDomainRepository,
    private readonly keys: DomainKeys,
    private readonly checks: DomainChecks,
    private readonly changes: DomainChanges,
    private readonly allowances: AllowanceService,
    private readonly deadLetters: DeadLetterList,
    private readonly dispatcher: Dispatcher,
    private readonly clock: Clock,
    @Inject(RUNTIME_CONFIG) private readonly config: RuntimeConfig,
  ) {}

  /** A page of the workspace's domains, oldest first. */
  async page(scope: WorkspaceScope, { first, after }: PageRequest): Promise<Slice<SendingDomain>> {
    return this.database.listInScope(scope, async (tx) =>
      sliceOf(await this.domains.list(tx, scope, first + 1, after?.id ?? null), first),
    );
  }

  /** The workspace's domain of that name; undefined when it has none. */
  async named(scope: WorkspaceScope, text: string): Promise<SendingDomain | undefined> {
    const read = readDomainName(text);
    if (read.kind === 'refused') return undefined;
    return this.database.inScope(scope, (tx) => this.domains.named(tx, scope, read.name));
  }

  /**
   * Adds a domain with its own key, and schedules a check of its records.
   * @param author who does it.
   * @throws DomainError invalid_field for an invalid name, and when the workspace has the maximum number of domains;
   *   conflict when it already has this one; rate_limit_exceeded.
   */
  async add(scope: WorkspaceScope, text: string, author: Author): Promise<SendingDomain> {
    const name = this.nameOf(text);
    await this.allowances.use(scope, ALLOWANCE, 1);
    const newKey = await makeKey();
    const now = this.clock.now();
    const id = uuidv7(now.getTime());
    const stored = this.keys.sealed(scope, newKey, { domainId: id, role: 'signing', now });
    const domain: SendingDomain = {
      id,
      domain: name,
      token: randomBytes(TOKEN_BYTES).toString('base64url'),
      status: 'pending',
      statusSince: now,
      isHeldElsewhere: false,
      verifiedAt: null,
      findings: [],
      checkedAt: null,
      checkAt: now,
      keys: [publicHalf(stored)],
      createdAt: now,
      updatedAt: now,
    };
    await this.database.inScope(scope, async (tx) => {
      const count = await this.domains.countLocked(tx, scope);
      if (await this.domains.named(tx, scope, name))
        throw new DomainError('conflict', `The workspace already has the domain ${name}.`);
      if (count >= MAX_DOMAINS)
        throw invalidFields([
          { field: 'domain', message: `a workspace can have at most ${MAX_DOMAINS} domains` },
        ]);
      await this.domains.insert(tx, scope, domain);
      await this.domains.insertKey(tx, scope, stored);
      await this.changes.report(tx, scope, { kind: 'added', author, domain });
      this.wakeAfterCommit(tx, scope);
    });
    return domain;
  }

  /**
   * Checks a domain's records now.
   * @throws DomainError not_found; rate_limit_exceeded.
   */
  async check(scope: WorkspaceScope, id: string, author: Author): Promise<SendingDomain> {
    const domain = await this.database.inScope(scope, (tx) => this.existing(tx, scope, id));
    await this.allowances.use(scope, ALLOWANCE, 1);
    const checked = await this.checks.check(scope, domain, author);
    if (!checked) throw unknownDomain();
    return checked;
  }

  /**
   * Creates the key that replaces the present one as soon as its record is published. A second call before that changes
   * nothing.
   * @throws DomainError not_found; conflict while the record of the former key is still required; rate_limit_exceeded.
   */
  async rotateKey(scope: WorkspaceScope, id: string, author: Author): Promise<SendingDomain> {
    await this.database.inScope(scope, (tx) => this.existing(tx, scope, id));
    await this.allowances.use(scope, ALLOWANCE, 1);
    const newKey = await makeKey();
    return this.database.inScope(scope, async (tx) => {
      const domain = await this.existing(tx, scope, id);
      if (keyIn(domain, 'next')) return domain;
      const retireAt = keyIn(domain, 'retiring')?.retireAt;
      if (retireAt)
        throw new DomainError(
          'conflict',
          'Mail signed with the previous key is still in transit: the key can be rotated from ' +
            `${retireAt.toISOString()}.`,
        );
      const now = this.clock.now();
      const stored = this.keys.sealed(scope, newKey, { domainId: domain.id, role: 'next', now });
      const keys = [...domain.keys, publicHalf(stored)];
      const updated: SendingDomain = { ...domain, keys, checkAt: now, updatedAt: now };
      await this.domains.insertKey(tx, scope, stored);
      await this.domains.store(tx, scope, updated);
      await this.changes.report(tx, scope, { kind: 'key_rotation_begun', author, domain });
      this.wakeAfterCommit(tx, scope);
      return updated;
    });
  }

  /**
   * Removes a domain with its keys. From then on, mail is sent from the shared domain.
   * @throws DomainError not_found.
   */
  async remove(scope: WorkspaceScope, id: string, author: Author): Promise<void> {
    const tenant = domainScope(scope);
    await this.database.inScope(tenant, async (tx) => {
      const domain = await this.existing(tx, scope, id);
      await this.domains.remove(tx, scope, domain.id);
      await this.deadLetters.remove(tx, tenant, 'domain_check', [domain.id]);
      await this.changes.report(tx, scope, { kind: 'removed', author, domain });
    });
  }

  private nameOf(text: string): string {
    const read = readDomainName(text);
    if (read.kind === 'refused') throw invalidFields([{ field: 'domain', message: read.message }]);
    if (isWithin(read.name, this.config.sharedSendingDomain))
      throw invalidFields([{ field: 'domain', message: 'is the domain shared by all workspaces' }]);
    return read.name;
  }

  private async existing(tx: Transaction, scope: WorkspaceScope, id: string): Promise<SendingDomain> {
    const domain = isUuid(id) ? await this.domains.lock(tx, scope, id) : undefined;
    if (!domain) throw unknownDomain();
    return domain;
  }

  private wakeAfterCommit(tx: Transaction, scope: WorkspaceScope): void {
    tx.afterCommit(() => this.dispatcher.wake(WAKE_UPS.domains, domainScope(scope)));
  }
}

function publicHalf({ domainId: _domain, sealedPrivateKey: _sealed, ...key }: StoredKey): DkimKey {
  return key;
}

function unknownDomain(): DomainError {
  return new DomainError('not_found', 'No such sending domain exists.');
}
