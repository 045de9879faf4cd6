/** Reads contacts' opt-outs, suppressions and choices against messages, for a whole set in one transaction. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { OptOuts } from '../../contacts/application/opt-outs.js';
import { Suppressions } from '../../suppressions/application/suppressions.js';
import type { ClaimedSend } from '../domain/claimed-send.js';
import { MessagePreferenceChecks } from './message-preference-checks.js';

/** The part of a message that this needs. */
type AddressedMessage = Pick<
  ClaimedSend,
  'id' | 'contactId' | 'contact' | 'templateSlug' | 'contentType' | 'options'
>;

/** The opt-outs, suppressions and choices against one message. */
export type RecipientSendState = Pick<ClaimedSend, 'hasRefused' | 'suppressedFor' | 'objection'>;

@Injectable()
export class RecipientSendStates {
  constructor(
    private readonly optOuts: OptOuts,
    private readonly suppressions: Suppressions,
    private readonly preferenceChecks: MessagePreferenceChecks,
  ) {}

  /** Returns the result for each message, as the transaction sees it. */
  async of(
    tx: Transaction,
    scope: TenantScope,
    messages: readonly AddressedMessage[],
    now: Date,
  ): Promise<(message: AddressedMessage) => RecipientSendState> {
    const subscribed = messages.flatMap(({ contact }) =>
      contact?.subscriptionStatus === 'subscribed' ? [contact] : [],
    );
    const optedOut = await this.optOuts.among(tx, scope, subscribed);
    const contacts = messages.flatMap(({ contact }) => contact ?? []);
    const suppressed = await this.suppressions.among(tx, scope, contacts);
    const blocks = await this.preferenceChecks.against(tx, scope, messages, now);
    return ({ id, contactId }) => ({
      hasRefused: optedOut.has(contactId),
      suppressedFor: suppressed.get(contactId) ?? null,
      objection: blocks.get(id) ?? null,
    });
  }
}
