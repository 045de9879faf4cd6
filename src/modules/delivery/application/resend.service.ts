/**
 * Sends messages again on request, section 4.10: a new message from the current version of the template, with the data
 * of the first one, to the contact's current address. A message with an unknown outcome is sent again under its own
 * Message-ID, so that a recipient who already has it can recognise it.
 */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { DomainError } from '../../../kernel/domain-error.js';
import { isUuid, type TenantScope } from '../../../kernel/tenant-scope.js';
import { uuidv7 } from '../../../kernel/uuid.js';
import { Database } from '../../../platform/database/database.js';
import { ContactService } from '../../contacts/application/contact.service.js';
import { DeadLetterList } from '../../dead-letters/application/dead-letter-list.js';
import type { RequestedMessage } from '../domain/direct-send.js';
import { resendRefusal } from '../domain/resend.js';
import { EmailLogRepository } from '../persistence/email-log.repository.js';
import { EmailLogService, emailLogNotFound } from './email-log.service.js';
import { MessageRequests } from './message-requests.js';

@Injectable()
export class ResendService {
  constructor(
    private readonly database: Database,
    private readonly emailLogs: EmailLogRepository,
    private readonly service: EmailLogService,
    private readonly contacts: ContactService,
    private readonly requests: MessageRequests,
    private readonly deadLetters: DeadLetterList,
    private readonly clock: Clock,
  ) {}

  /**
   * @param plan the workspace's plan, whose cap of emails applies.
   * @throws DomainError email_log_not_found; conflict for a message that is being sent, or was sent again too often;
   * plan_limit_reached; as MessageRequests.
   */
  async resend(scope: TenantScope, plan: string, id: string): Promise<RequestedMessage> {
    const source = isUuid(id)
      ? await this.database.inScope(scope, (tx) => this.emailLogs.source(tx, scope, id))
      : undefined;
    if (!source) throw emailLogNotFound();
    const [contact] = await this.contacts.byIds(scope, [source.contactId]);
    const tried = await this.requests.renderTrial(scope, source, contact, this.clock.now());
    return this.database.inScope(scope, async (tx) => {
      const now = this.clock.now();
      // First, in the same order as the requeueing of dead letters: so a message is either sent again or requeued,
      // never both.
      await this.deadLetters.remove(tx, scope, 'send', [id]);
      const firstId = source.origin === 'resend' ? source.originId : id;
      const locked = await this.emailLogs.findMany(tx, scope, [...new Set([firstId, id])], true);
      const message = locked.find((log) => log.id === id);
      if (!message) throw emailLogNotFound();
      const repetitions = await this.emailLogs.repetitionsOf(tx, scope, [firstId]);
      const first = locked.filter((log) => log.id === firstId && log.id !== id);
      const refusal = resendRefusal(message, [...first, ...repetitions.filter((log) => log.id !== id)]);
      if (refusal !== undefined) throw new DomainError('conflict', refusal);
      const log = {
        ...source,
        ...{ id: uuidv7(now.getTime()), origin: 'resend' as const, originId: firstId },
        originStep: repetitions.length + 1,
      };
      const request = { log, contact: contact ?? null, tried };
      // A message that may not go under its own origin, such as a flow's to an unsubscribed contact, may go as a
      // requested one.
      if (
        message.status === 'unknown' &&
        (await this.requests.decide(tx, scope, { ...request, log: source }, now)) === null
      ) {
        await this.service.requeueUnknown(tx, scope, id, now);
        return { emailLogId: id, status: 'queued', suppressedReason: null };
      }
      const suppressedReason = await this.requests.decide(tx, scope, request, now);
      return this.requests.store(tx, scope, plan, { ...request, suppressedReason }, now);
    });
  }
}
