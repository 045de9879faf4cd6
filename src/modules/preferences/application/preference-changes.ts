/**
 * The only code that stores, records and announces decisions on promotional mail, from any source. Everything happens
 * in the caller's transaction; decisions for one contact are serialized.
 */
import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../kernel/domain-error.js';
import { DAY } from '../../../kernel/duration.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { uuidv7 } from '../../../kernel/uuid.js';
import type { Transaction } from '../../../platform/database/database.js';
import { contactNotFound } from '../../contacts/application/contact.service.js';
import { KnownContacts } from '../../contacts/application/known-contacts.js';
import { OptOuts, type OptOutRecipient } from '../../contacts/application/opt-outs.js';
import {
  afterDecisions,
  MAX_CHANGES_PER_DAY,
  OPTED_IN,
  OPTED_OUT,
  pauseDecision,
  resumeDecision,
  topicDecisions,
  type ChangeSource,
  type Decision,
  type PreferenceChange,
} from '../domain/preference-change.js';
import { NO_PREFERENCES, type Preferences } from '../domain/preferences.js';
import { ContactPreferencesRepository } from '../persistence/contact-preferences.repository.js';
import { PreferenceChangeRepository } from '../persistence/preference-change.repository.js';
import { PreferenceChangesListener } from './preference-changes.listener.js';
import { TopicService } from './topic.service.js';

/** Returns the decisions, given the current preferences. */
type Decide = (preferences: Preferences) => Promise<readonly Decision[]> | readonly Decision[];

@Injectable()
export class PreferenceChanges {
  constructor(
    private readonly contacts: KnownContacts,
    private readonly optOuts: OptOuts,
    private readonly topics: TopicService,
    private readonly preferences: ContactPreferencesRepository,
    private readonly changes: PreferenceChangeRepository,
    private readonly listener: PreferenceChangesListener,
  ) {}

  /**
   * Opts out of all mail, also for deleted and erased contacts. Idempotent.
   * @returns whether the opt-out is new.
   */
  async optOut(
    tx: Transaction,
    scope: TenantScope,
    recipient: OptOutRecipient,
    source: ChangeSource,
    now: Date,
  ): Promise<boolean> {
    if (!(await this.optOuts.record(tx, scope, recipient, now))) return false;
    await this.record(tx, scope, recipient.contactId, [OPTED_OUT], source, now);
    return true;
  }

  /**
   * Opts in to mail again, which also ends a pause. Only the contact itself can do this.
   * @throws DomainError as `decide`.
   */
  async optIn(
    tx: Transaction,
    scope: TenantScope,
    contactId: string,
    source: ChangeSource,
    now: Date,
  ): Promise<void> {
    await this.decide(tx, scope, contactId, source, now, async () =>
      (await this.optOuts.optIn(tx, scope, contactId, now)) ? [OPTED_IN] : [],
    );
  }

  /**
   * Chooses among the offered topics.
   * @param chosen by topic key; topics that are not in it do not change, and unknown keys are ignored.
   * @throws DomainError as `decide`.
   */
  async choose(
    tx: Transaction,
    scope: TenantScope,
    contactId: string,
    chosen: ReadonlyMap<string, boolean>,
    source: ChangeSource,
    now: Date,
  ): Promise<void> {
    const topics = await this.topics.offered(tx, scope);
    await this.decide(tx, scope, contactId, source, now, (known) => topicDecisions(known, topics, chosen));
  }

  /** Pauses promotional mail. @throws DomainError as `decide`. */
  async pause(
    tx: Transaction,
    scope: TenantScope,
    contactId: string,
    source: ChangeSource,
    now: Date,
  ): Promise<void> {
    await this.decide(tx, scope, contactId, source, now, (known) => asList(pauseDecision(known, now)));
  }

  /** Ends a pause early. @throws DomainError as `decide`. */
  async resume(
    tx: Transaction,
    scope: TenantScope,
    contactId: string,
    source: ChangeSource,
    now: Date,
  ): Promise<void> {
    await this.decide(tx, scope, contactId, source, now, (known) => asList(resumeDecision(known, now)));
  }

  /**
   * Stores the decisions. Until the transaction ends, the contact's preferences cannot change otherwise, and the
   * contact cannot be erased.
   * @throws DomainError rate_limit_exceeded if the preferences were changed too often within a day; contact_not_found
   *   for a deleted or erased contact. Nothing changes then.
   */
  async decide(
    tx: Transaction,
    scope: TenantScope,
    contactId: string,
    source: ChangeSource,
    now: Date,
    decide: Decide,
  ): Promise<void> {
    await this.preferences.lock(tx, scope, contactId);
    const [contact] = await this.contacts.find(tx, scope, 'id', [contactId]);
    if (!contact || contact.subscriptionStatus === 'deleted') throw contactNotFound(contactId);
    const known = (await this.preferences.find(tx, scope, [contactId])).get(contactId) ?? NO_PREFERENCES;
    const decisions = await decide(known);
    if (decisions.length === 0) return;
    await this.assertDailyLimit(tx, scope, contactId, decisions.length, now);
    await this.preferences.store(tx, scope, contactId, afterDecisions(known, decisions), now);
    await this.record(tx, scope, contactId, decisions, source, now);
  }

  private async assertDailyLimit(
    tx: Transaction,
    scope: TenantScope,
    contactId: string,
    more: number,
    now: Date,
  ): Promise<void> {
    const since = new Date(now.getTime() - DAY);
    const count = await this.changes.countSince(tx, scope, contactId, since, MAX_CHANGES_PER_DAY);
    if (count + more > MAX_CHANGES_PER_DAY)
      throw new DomainError(
        'rate_limit_exceeded',
        'These preferences were changed too often today: try again tomorrow.',
        {
          retry_after: DAY / 1_000,
        },
      );
  }

  private async record(
    tx: Transaction,
    scope: TenantScope,
    contactId: string,
    decisions: readonly Decision[],
    source: ChangeSource,
    now: Date,
  ): Promise<void> {
    const changes = decisions.map((decision): PreferenceChange => {
      const id = uuidv7(now.getTime());
      return { ...decision, ...source, id, contactId, changedAt: now };
    });
    await this.changes.insert(tx, scope, changes);
    await this.listener.handle(tx, scope, changes, now);
  }
}

function asList(decision: Decision | undefined): readonly Decision[] {
  return decision ? [decision] : [];
}
