/** Reads contacts' opt-outs, suppressions and choices against messages, for a whole set in one transaction. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { Refusals } from '../../contacts/application/refusals.js';
import { Suppressions } from '../../suppressions/application/suppressions.js';
import type { ClaimedSend } from '../domain/claimed-send.js';
import { MessageObjections } from './message-objections.js';

/** The part of a message that this needs. */
type StandingMessage = Pick<
  ClaimedSend,
  'id' | 'contactId' | 'contact' | 'templateSlug' | 'contentType' | 'options'
>;

/** The opt-outs, suppressions and choices against one message. */
export type Standing = Pick<ClaimedSend, 'hasRefused' | 'suppressedFor' | 'objection'>;

@Injectable()
export class MessageStanding {
  constructor(
    private readonly refusals: Refusals,
    private readonly suppressions: Suppressions,
    private readonly objections: MessageObjections,
  ) {}

  /** Returns the result for each message, as the transaction sees it. */
  async of(
    tx: Transaction,
    scope: TenantScope,
    messages: readonly StandingMessage[],
    now: Date,
  ): Promise<(message: StandingMessage) => Standing> {
    const subscribed = messages.flatMap(({ contact }) =>
      contact?.subscriptionStatus === 'subscribed' ? [contact] : [],
    );
    const refused = await this.refusals.among(tx, scope, subscribed);
    const contacts = messages.flatMap(({ contact }) => contact ?? []);
    const suppressed = await this.suppressions.among(tx, scope, contacts);
    const objections = await this.objections.against(tx, scope, messages, now);
    return ({ id, contactId }) => ({
      hasRefused: refused.has(contactId),
      suppressedFor: suppressed.get(contactId) ?? null,
      objection: objections.get(id) ?? null,
    });
  }
}
