/**
 * Accepts requests for single messages from applications and people. Content that cannot be sent to anyone is rejected;
 * for other requests the answer says whether the message is queued or suppressed. It uses the sender's decision
 * (domain/send-decision), which runs again right before the attempt.
 */
import { Inject, Injectable } from '@nestjs/common';
import { DomainError, invalidFields } from '../../../kernel/domain-error.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../../platform/config/config.js';
import type { Transaction } from '../../../platform/database/database.js';
import { Dispatcher } from '../../../platform/queue/dispatcher.js';
import { WAKE_UPS } from '../../../platform/queue/wake-ups.js';
import type { Contact } from '../../contacts/domain/contact.js';
import { OwnDomainsService } from '../../domains/application/own-domains.js';
import { MonthlyEmails } from '../../limits/application/monthly-emails.js';
import { limitReached, planOf } from '../../limits/domain/plan.js';
import { WorkspaceService } from '../../workspaces/application/workspace.service.js';
import type { SendEvent } from '../domain/claimed-send.js';
import type { RequestedMessage } from '../domain/direct-send.js';
import type { NewEmailLog } from '../domain/email-log.js';
import { decideOn, sendingDomains, type TenantInputs } from '../domain/message-decision.js';
import {
  unsendableContent,
  unsentText,
  type FailedDecision,
  type SuppressedDecision,
} from '../domain/send-decision.js';
import { MessageQueueRepository } from '../persistence/message-queue.repository.js';
import { MessageTemplates } from './message-templates.js';
import { RecipientSendStates } from './recipient-send-states.js';
import { SendSimulations } from './send-simulations.js';
import { SettledMessages } from './settled-messages.js';

/** The requested message. */
export type MessageRequest = Pick<NewEmailLog, 'templateSlug' | 'contentType' | 'options'> & {
  /** The trigger event that its template reads. */
  readonly triggerEvent: SendEvent | null;
};

/** A message after a trial rendering: what is known of the tenant, and what prevents rendering. */
export interface TrialRendering {
  readonly inputs: TenantInputs;
  readonly unsent: SuppressedDecision | undefined;
}

/** A message after a trial rendering, with its contact as the transaction reads it; null when the record is gone. */
export interface DecidableMessage {
  readonly log: NewEmailLog;
  readonly contact: Contact | null;
  readonly tried: TrialRendering;
}

@Injectable()
export class MessageRequests {
  constructor(
    private readonly templates: MessageTemplates,
    private readonly workspaces: WorkspaceService,
    private readonly ownDomains: OwnDomainsService,
    private readonly simulations: SendSimulations,
    private readonly recipients: RecipientSendStates,
    private readonly queue: MessageQueueRepository,
    private readonly settled: SettledMessages,
    private readonly emails: MonthlyEmails,
    private readonly dispatcher: Dispatcher,
    @Inject(RUNTIME_CONFIG) private readonly config: RuntimeConfig,
  ) {}

  /**
   * Renders a message on trial, outside of any transaction.
   * @param contact the recipient, as far as it is known; undefined if it no longer exists.
   * @throws DomainError template_not_found, template_errors, invalid_field when the content cannot be sent to anyone;
   * work_too_costly, service_unavailable as ReadyTemplate.render.
   */
  async renderTrial(
    scope: TenantScope,
    request: MessageRequest,
    contact: Contact | undefined,
    now: Date,
  ): Promise<TrialRendering> {
    const { templateSlug: slug, options } = request;
    const cached = (await this.templates.of(scope, [request]))(request);
    const isRefused = unsendableContent(cached ?? null, options.subject) !== undefined;
    const template = isRefused ? await this.templates.reload(scope, request) : cached;
    const unsendable = unsendableContent(template ?? null, options.subject);
    if (unsendable) throw unsendableError(unsendable, slug);
    const workspace = await this.workspaces.get(scope);
    const own = await this.ownDomains.of(scope);
    const inputs: TenantInputs = {
      workspace,
      template: template ?? null,
      domains: sendingDomains(this.config.sharedSendingDomain, own, now),
    };
    if (!contact || !template) return { inputs, unsent: undefined };
    const rendered = await this.simulations.render(scope, { ...request, contact }, template, now);
    if (rendered.kind === 'rendered') return { inputs, unsent: undefined };
    const unsent = unsentText(rendered);
    if (unsent.kind === 'fail') throw unsendableError(unsent, slug);
    return { inputs, unsent };
  }

  /**
   * Decides about a message after its trial rendering.
   * @returns why it is suppressed; null when it may be sent.
   * @throws DomainError invalid_field if the workspace's sender is malformed.
   */
  async decide(
    tx: Transaction,
    scope: TenantScope,
    { log, contact, tried }: DecidableMessage,
    now: Date,
  ): Promise<string | null> {
    const stateOf = await this.recipients.of(tx, scope, [{ ...log, contact }], now);
    const message = { ...log, ...stateOf({ ...log, contact }), contact, refusedBy: null };
    const decision = decideOn(message, scope, tried.inputs, now);
    const unsent = decision.kind === 'send' ? tried.unsent : decision;
    if (unsent?.kind === 'fail') throw unsendableError(unsent, log.templateSlug);
    return unsent?.reason ?? null;
  }

  /**
   * Charges a decided message to the plan and adds it to the ledger. Call this last in the transaction: under a cap,
   * all other sends of the tenant wait until it ends.
   * @throws DomainError plan_limit_reached.
   */
  async store(
    tx: Transaction,
    scope: TenantScope,
    plan: string,
    message: DecidableMessage & { readonly suppressedReason: string | null },
    now: Date,
  ): Promise<RequestedMessage> {
    const { log, contact, suppressedReason } = message;
    const chargedAt = await this.charge(tx, scope, plan, suppressedReason !== null, now);
    const initial = { suppressedReason, toEmail: contact?.email ?? null, chargedAt };
    const state = await this.queue.insert(tx, scope, log, initial, now);
    await this.settled.announce(tx, scope, [state], now);
    const status = suppressedReason === null ? 'queued' : 'suppressed';
    if (status === 'queued') tx.afterCommit(() => this.dispatcher.wake(WAKE_UPS.sends, scope));
    return { emailLogId: log.id, status, suppressedReason };
  }

  /** A plan without a cap is charged when the message is claimed, so requests do not wait for each other. */
  private async charge(
    tx: Transaction,
    scope: TenantScope,
    planName: string,
    isSettled: boolean,
    now: Date,
  ): Promise<Date | null> {
    const plan = planOf(planName);
    if (plan.caps.emails === Number.POSITIVE_INFINITY && !isSettled) return null;
    const { granted, used } = await this.emails.charge(tx, scope, plan, 1, now);
    if (granted === 0) throw limitReached('emails', used, plan);
    return now;
  }
}

/** The error that a caller gets for a message that cannot be sent to anyone. */
function unsendableError({ code, detail }: FailedDecision, slug: string): DomainError {
  if (code === 'template_not_found')
    return new DomainError('template_not_found', `No template has the slug ${slug}.`);
  if (code === 'invalid_from_address')
    return invalidFields([{ field: 'from_email', message: `of the workspace: ${detail}` }]);
  return new DomainError('template_errors', `The template ${slug} cannot be sent: ${detail}`, {
    templates: [{ slug, reason: code }],
  });
}
