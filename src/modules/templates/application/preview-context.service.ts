/**
 * Finds a contact and its events for the preview of a template, section 4.3. It uses stored data only: what is not
 * found is not invented.
 */
import { Injectable } from '@nestjs/common';
import { isStorableText } from '../../../kernel/json.js';
import { isUuid, type TenantScope } from '../../../kernel/tenant-scope.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import type { Contact } from '../../contacts/domain/contact.js';
import { KnownContacts } from '../../contacts/application/known-contacts.js';
import { maskerFor, maskPhone } from '../../contacts/domain/masking.js';
import { LatestEventRepository } from '../../events/persistence/latest-event.repository.js';
import type { LatestEvent } from '../../events/domain/latest-event.js';
import type { PreviewQuery } from '../domain/preview.js';

export interface PreviewContext {
  /** `real`: contact and event were found, `partial`: one of them, `none`: neither. */
  readonly source: 'real' | 'partial' | 'none';
  readonly contact: Contact | null;
  readonly triggerEvent: LatestEvent | null;
  /** The contact's latest event of each requested name that it has. */
  readonly additionalEvents: readonly LatestEvent[];
}

@Injectable()
export class PreviewContextService {
  constructor(
    private readonly database: Database,
    private readonly contacts: KnownContacts,
    private readonly events: LatestEventRepository,
  ) {}

  /**
   * The data for a preview in this environment.
   * @param withAddresses whether the caller may read contacts; otherwise all email addresses and the contact's phone
   *   number are masked, and so also in the rendered preview.
   */
  async find(scope: TenantScope, query: PreviewQuery, withAddresses: boolean): Promise<PreviewContext> {
    const found = await this.findStored(scope, query);
    return withAddresses ? found : masked(found);
  }

  private async findStored(scope: TenantScope, query: PreviewQuery): Promise<PreviewContext> {
    return this.database.inScope(scope, async (tx) => {
      const { contact, triggerEvent } =
        query.contactId === null
          ? await this.mostRecent(tx, scope, query.eventName)
          : await this.ofContact(tx, scope, query.contactId, query.eventName);
      const additionalEvents = contact
        ? await this.events.ofContact(tx, scope, contact.externalId, query.additionalEvents)
        : [];
      const source = contact && triggerEvent ? 'real' : contact || triggerEvent ? 'partial' : 'none';
      return { source, contact, triggerEvent, additionalEvents };
    });
  }

  private async mostRecent(tx: Transaction, scope: TenantScope, eventName: string | null): Promise<Pair> {
    const event = eventName === null ? undefined : await this.events.latestOfAnyContact(tx, scope, eventName);
    if (!event) return NO_MATCH;
    return {
      contact: await this.contactBy(tx, scope, 'externalId', event.externalId),
      triggerEvent: event,
    };
  }

  private async ofContact(
    tx: Transaction,
    scope: TenantScope,
    id: string,
    eventName: string | null,
  ): Promise<Pair> {
    // A text that PostgreSQL rejects is no identifier.
    if (!isStorableText(id)) return NO_MATCH;
    const contact =
      (isUuid(id) ? await this.contactBy(tx, scope, 'id', id) : null) ??
      (await this.contactBy(tx, scope, 'externalId', id));
    if (!contact) return NO_MATCH;
    const names = eventName === null ? [] : [eventName];
    const [triggerEvent = null] = await this.events.ofContact(tx, scope, contact.externalId, names);
    return { contact, triggerEvent };
  }

  /** A deleted contact counts as not found: it gets no mail. */
  private async contactBy(
    tx: Transaction,
    scope: TenantScope,
    key: 'id' | 'externalId',
    value: string,
  ): Promise<Contact | null> {
    const [contact] = await this.contacts.find(tx, scope, key, [value]);
    return contact && contact.subscriptionStatus !== 'deleted' ? contact : null;
  }
}

type Pair = Pick<PreviewContext, 'contact' | 'triggerEvent'>;
const NO_MATCH: Pair = { contact: null, triggerEvent: null };

function masked(context: PreviewContext): PreviewContext {
  const mask = maskerFor(context.contact?.phone ?? null);
  const { contact, triggerEvent, additionalEvents } = context;
  return {
    ...context,
    contact: contact && { ...mask(contact), phone: contact.phone && maskPhone(contact.phone) },
    triggerEvent: triggerEvent && { ...triggerEvent, attributes: mask(triggerEvent.attributes) },
    additionalEvents: additionalEvents.map((event) => ({ ...event, attributes: mask(event.attributes) })),
  };
}
