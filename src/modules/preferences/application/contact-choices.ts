/**
 * Reads and changes a contact's preferences on behalf of the workspace's members and its application, and lists the
 * changes.
 */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { DomainError } from '../../../kernel/domain-error.js';
import { sliceOf, type Slice, type PageRequest } from '../../../kernel/page-cursor.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { ContactService } from '../../contacts/application/contact.service.js';
import {
  hasOptedOutOf,
  topicDecisions,
  type ChangeSource,
  type PreferenceChange,
} from '../domain/preference-change.js';
import { NO_PREFERENCES, type Preferences } from '../domain/preferences.js';
import type { Topic } from '../domain/topic.js';
import { ContactPreferencesRepository } from '../persistence/contact-preferences.repository.js';
import { PreferenceChangeRepository } from '../persistence/preference-change.repository.js';
import { PreferenceChanges } from './preference-changes.js';
import { TopicService } from './topic.service.js';

/** The offered topics, and what contacts have chosen. */
export interface OfferedChoices {
  readonly topics: readonly Topic[];
  readonly preferences: ReadonlyMap<string, Preferences>;
}

@Injectable()
export class ContactChoices {
  constructor(
    private readonly database: Database,
    private readonly contacts: ContactService,
    private readonly topics: TopicService,
    private readonly preferences: ContactPreferencesRepository,
    private readonly changes: PreferenceChangeRepository,
    private readonly decisions: PreferenceChanges,
    private readonly clock: Clock,
  ) {}

  /** The offered topics, and the preferences of those of the contacts that have any. */
  async find(scope: TenantScope, contactIds: readonly string[]): Promise<OfferedChoices> {
    return this.database.inScope(scope, (tx) => this.findIn(tx, scope, contactIds));
  }

  /** Like `find`, in an open transaction. */
  async findIn(tx: Transaction, scope: TenantScope, contactIds: readonly string[]): Promise<OfferedChoices> {
    return {
      topics: await this.topics.offered(tx, scope),
      preferences: await this.preferences.find(tx, scope, contactIds),
    };
  }

  /**
   * The changes of a contact's preferences, newest first; also for a deleted or erased contact.
   * @throws DomainError contact_not_found.
   */
  async history(
    scope: TenantScope,
    id: string,
    { first, after }: PageRequest,
  ): Promise<Slice<PreferenceChange>> {
    const contact = await this.contacts.get(scope, id);
    const page = { limit: first + 1, before: after?.id ?? null };
    const found = await this.database.listInScope(scope, (tx) =>
      this.changes.ofContact(tx, scope, contact.id, page),
    );
    return sliceOf(found, first);
  }

  /**
   * Opts the contact out of all mail or of one topic, at its request to the workspace. Idempotent.
   * @param topic a topic's key; null for all mail.
   * @returns the contact's id.
   * @throws DomainError contact_not_found, topic_not_found, rate_limit_exceeded; invalid_field for an archived topic.
   */
  async optOut(scope: TenantScope, id: string, topic: string | null, actor: string): Promise<string> {
    const contact = await this.contacts.get(scope, id);
    const now = this.clock.now();
    await this.database.inScope(scope, async (tx) => {
      const source = apiSource(actor);
      if (topic !== null) await this.setTopic(tx, scope, contact.id, topic, false, source, now);
      else await this.decisions.optOut(tx, scope, { contactId: contact.id, sentTo: null }, source, now);
    });
    return contact.id;
  }

  /**
   * Opts the contact in to a topic, at its request to the workspace. If the contact has opted out of the topic, or of
   * all mail, only the contact itself can opt in again.
   * @returns the contact's id.
   * @throws DomainError conflict if it has opted out of the topic; as `optOut`.
   */
  async optIn(scope: TenantScope, id: string, topic: string, actor: string): Promise<string> {
    const contact = await this.contacts.get(scope, id);
    const now = this.clock.now();
    await this.database.inScope(scope, (tx) =>
      this.setTopic(tx, scope, contact.id, topic, true, apiSource(actor), now),
    );
    return contact.id;
  }

  private async setTopic(
    tx: Transaction,
    scope: TenantScope,
    contactId: string,
    key: string,
    isSubscribed: boolean,
    source: ChangeSource,
    now: Date,
  ): Promise<void> {
    const topic = await this.topics.usable(tx, scope, key);
    await this.decisions.decide(tx, scope, contactId, source, now, (known) => {
      if (isSubscribed && hasOptedOutOf(known, key))
        throw new DomainError(
          'conflict',
          'The contact has opted out of this topic. Only the contact can opt in again.',
        );
      return topicDecisions(known, [topic], new Map([[key, isSubscribed]]));
    });
  }
}

/** The preferences of one contact in the result. */
export function preferencesOf({ preferences }: OfferedChoices, contactId: string): Preferences {
  return preferences.get(contactId) ?? NO_PREFERENCES;
}

function apiSource(actor: string): ChangeSource {
  return { way: 'api', messageId: null, actor };
}
