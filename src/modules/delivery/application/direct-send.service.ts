/**
 * Single messages that applications request, section 4.10 (`POST /v1/send`). Each message is stored before the request
 * is answered.
 */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { DomainError, invalidFields } from '../../../kernel/domain-error.js';
import { DAY } from '../../../kernel/duration.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { uuidv7 } from '../../../kernel/uuid.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { ContactService } from '../../contacts/application/contact.service.js';
import { ContactUpserts } from '../../contacts/application/contact-upserts.js';
import type { Contact } from '../../contacts/domain/contact.js';
import type { ContactInput } from '../../contacts/domain/read-contact.js';
import { limitReached, planOf } from '../../limits/domain/plan.js';
import type { DirectSend, RequestedMessage } from '../domain/direct-send.js';
import type { NewEmailLog } from '../domain/email-log.js';
import { SendKeyRepository } from '../persistence/send-key.repository.js';
import { MessageRequests } from './message-requests.js';

/** How long an idempotency key is valid, in milliseconds of the product's clock. */
const KEY_LIFETIME_MS = DAY;

@Injectable()
export class DirectSendService {
  constructor(
    private readonly database: Database,
    private readonly contacts: ContactService,
    private readonly upserts: ContactUpserts,
    private readonly requests: MessageRequests,
    private readonly keys: SendKeyRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Upserts the contact and requests the message, both or neither.
   * @param plan the workspace's plan, whose caps of contacts and emails apply.
   * @throws DomainError duplicate_event with `email_log_id` when the idempotency key was used within 24 hours;
   * plan_limit_reached; as MessageRequests.
   */
  async send(scope: TenantScope, plan: string, direct: DirectSend): Promise<RequestedMessage> {
    const { templateSlug, contentType, subject, attributes, to, idempotencyKey: key } = direct;
    // This check comes first: a later change must not turn the repetition of an accepted request into a different
    // error.
    if (key !== null) await this.assertUnused(scope, key);
    const options = { attributes, ...(subject === null ? {} : { subject }) };
    const request = { templateSlug, contentType, options, triggerEvent: { eventName: '', attributes } };
    const tried = await this.requests.renderTrial(
      scope,
      request,
      await this.contacts.previewUpsert(scope, to),
      this.clock.now(),
    );
    return this.database.inScope(scope, async (tx) => {
      const now = this.clock.now();
      const id = uuidv7(now.getTime());
      if (key !== null) await this.reserveKey(tx, scope, key, id, now);
      const contact = await this.upserted(tx, scope, plan, to, now);
      const log: NewEmailLog = {
        id,
        sourceId: null,
        origin: 'direct',
        originId: id,
        originStep: 0,
        contactId: contact.id,
        triggerEventId: null,
        templateSlug,
        contentType,
        options,
      };
      const message = { log, contact, tried };
      const suppressedReason = await this.requests.decide(tx, scope, message, now);
      return this.requests.store(tx, scope, plan, { ...message, suppressedReason }, now);
    });
  }

  private async reserveKey(
    tx: Transaction,
    scope: TenantScope,
    key: string,
    emailLogId: string,
    now: Date,
  ): Promise<void> {
    const expiry = new Date(now.getTime() + KEY_LIFETIME_MS);
    if (await this.keys.reserve(tx, scope, key, emailLogId, now, expiry)) return;
    throw duplicateOf(key, await this.keys.usedBy(tx, scope, key, now));
  }

  private async assertUnused(scope: TenantScope, key: string): Promise<void> {
    const now = this.clock.now();
    const emailLogId = await this.database.inScope(scope, (tx) => this.keys.usedBy(tx, scope, key, now));
    if (emailLogId !== undefined) throw duplicateOf(key, emailLogId);
  }

  /** If the request only identifies the contact, nothing changes: a deleted contact stays deleted. */
  private async upserted(
    tx: Transaction,
    scope: TenantScope,
    planName: string,
    { externalId, changes }: ContactInput,
    now: Date,
  ): Promise<Contact> {
    const plan = planOf(planName);
    const pendingChanges = Object.keys(changes).length > 0 ? [changes] : [];
    const { contacts, current } = await this.upserts.apply(
      tx,
      scope,
      new Map([[externalId, pendingChanges]]),
      {
        now,
        maximum: plan.caps.contacts,
      },
    );
    const found = contacts.get(externalId);
    if (!found) throw limitReached('contacts', current, plan);
    const refused = found.rejected.get(0);
    if (refused) throw invalidFields([refused]);
    return found.contact;
  }
}

/** @param emailLogId the message that used the key. */
function duplicateOf(key: string, emailLogId: string | undefined): DomainError {
  return new DomainError('duplicate_event', `The idempotency key ${key} was already used.`, {
    email_log_id: emailLogId,
  });
}
