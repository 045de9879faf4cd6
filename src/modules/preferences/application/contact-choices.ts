/** A contact's preferences for the workspace's people and its application: what they are, what was changed, and by its word. */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { DomainError } from '../../../kernel/domain-error.js';
import { sliceOf, type Slice, type WantedPage } from '../../../kernel/place.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { ContactService } from '../../contacts/application/contact.service.js';
import {
  hasRefused,
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

/** What is offered, and what of it contacts have chosen. */
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

  /** The topics that are offered, and the preferences of those of the contacts that have any. */
  async of(scope: TenantScope, contactIds: readonly string[]): Promise<OfferedChoices> {
    return this.database.inScope(scope, (tx) => this.ofIn(tx, scope, contactIds));
  }

  /** As `of`, in an open transaction. */
  async ofIn(tx: Transaction, scope: TenantScope, contactIds: readonly string[]): Promise<OfferedChoices> {
    return {
      topics: await this.topics.offered(tx, scope),
      preferences: await this.preferences.of(tx, scope, contactIds),
    };
  }

  /**
   * What was changed of a contact's preferences, the newest first; also of one that is deleted or erased.
   * @throws DomainError contact_not_found.
   */
  async history(
    scope: TenantScope,
    id: string,
    { first, after }: WantedPage,
  ): Promise<Slice<PreferenceChange>> {
    const contact = await this.contacts.get(scope, id);
    const page = { limit: first + 1, before: after?.id ?? null };
    const found = await this.database.listInScope(scope, (tx) =>
      this.changes.ofContact(tx, scope, contact.id, page),
    );
    return sliceOf(found, first);
  }

  /**
   * The contact has told the workspace that it wants no mail, or none of a topic. Once more changes nothing.
   * @param topic a topic's key; null for all mail.
   * @returns the contact's id.
   * @throws DomainError contact_not_found, topic_not_found, rate_limit_exceeded; invalid_field for an archived topic.
   */
  async optOut(scope: TenantScope, id: string, topic: string | null, actor: string): Promise<string> {
    const contact = await this.contacts.get(scope, id);
    const now = this.clock.now();
    await this.database.inScope(scope, async (tx) => {
      const source = byApi(actor);
      if (topic !== null) await this.setTopic(tx, scope, contact.id, topic, false, source, now);
      else await this.decisions.optOut(tx, scope, { contactId: contact.id, sentTo: null }, source, now);
    });
    return contact.id;
  }

  /**
   * The contact has asked the workspace for a topic. What it has refused, and all mail, it alone asks for again.
   * @returns the contact's id.
   * @throws DomainError conflict where it has opted out of the topic; as `optOut`.
   */
  async optIn(scope: TenantScope, id: string, topic: string, actor: string): Promise<string> {
    const contact = await this.contacts.get(scope, id);
    const now = this.clock.now();
    await this.database.inScope(scope, (tx) =>
      this.setTopic(tx, scope, contact.id, topic, true, byApi(actor), now),
    );
    return contact.id;
  }

  private async setTopic(
    tx: Transaction,
    scope: TenantScope,
    contactId: string,
    key: string,
    isWanted: boolean,
    source: ChangeSource,
    now: Date,
  ): Promise<void> {
    const topic = await this.topics.usable(tx, scope, key);
    await this.decisions.decide(tx, scope, contactId, source, now, (known) => {
      if (isWanted && hasRefused(known, key))
        throw new DomainError(
          'conflict',
          'The contact has opted out of this topic. Only the contact can opt in again.',
        );
      return topicDecisions(known, [topic], new Map([[key, isWanted]]));
    });
  }
}

/** A contact's preferences among those that were found. */
export function preferencesOf({ preferences }: OfferedChoices, contactId: string): Preferences {
  return preferences.get(contactId) ?? NO_PREFERENCES;
}

function byApi(actor: string): ChangeSource {
  return { way: 'api', messageId: null, actor };
}
