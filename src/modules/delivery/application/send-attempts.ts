/**
 * Carries out the attempts of claimed messages: loads their shared data once, then composes and sends each one
 * separately. A failure of one message affects no other message.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { Clock } from '../../../kernel/clock.js';
import { DomainError } from '../../../kernel/domain-error.js';
import { scopeKey, type TenantScope } from '../../../kernel/tenant-scope.js';
import type { NameKey } from '../../../language/language.js';
import { Database } from '../../../platform/database/database.js';
import { LOGGER } from '../../../platform/logging/logger.js';
import { type OwnDomains, OwnDomainsService } from '../../domains/application/own-domains.js';
import { failureOf } from '../../dead-letters/application/failure.js';
import { DEAD_LETTER_REASONS } from '../../dead-letters/domain/dead-letter.js';
import { WorkspaceService } from '../../workspaces/application/workspace.service.js';
import {
  NOTHING_RECORDED,
  type ClaimedSend,
  type FinishedSend,
  type SendEvent,
} from '../domain/claimed-send.js';
import { latestEventNames } from '../domain/latest-events.js';
import type { FailedAttempt } from '../domain/failed-attempt.js';
import { domainOf } from '../domain/email-address.js';
import { afterFailure, mayTryAgain, retryDelay } from '../domain/retry.js';
import { productFaultOutcome, type SendOutcome } from '../domain/send-outcome.js';
import { LatestEventsRepository } from '../persistence/latest-events.repository.js';
import {
  isOpen,
  MailRoutes,
  recordFailure,
  recordAccepted,
  type MailTarget,
  type MailRoute,
  type Routing,
} from './mail-routes.js';
import { TransportFailure, type OutgoingMail } from './mail-transport.port.js';
import { MessageTemplates, type TemplateOf } from './message-templates.js';
import { MessageComposer, type SendContext } from './message-composer.js';
import { MessageTexts } from './message-texts.js';

/** How often the pause of a message held up by its recipient's domain doubles: up to some minutes. */
const MAX_PAUSE_DOUBLINGS = 8;

type LatestEvents = ReadonlyMap<string, Record<string, SendEvent>>;

@Injectable()
export class SendAttempts {
  constructor(
    private readonly database: Database,
    private readonly events: LatestEventsRepository,
    private readonly templates: MessageTemplates,
    private readonly workspaces: WorkspaceService,
    private readonly ownDomains: OwnDomainsService,
    private readonly composer: MessageComposer,
    private readonly texts: MessageTexts,
    private readonly routes: MailRoutes,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Attempts each message and passes it to `finish` when its attempt has ended. Never throws. */
  async run(
    scope: TenantScope,
    sends: readonly ClaimedSend[],
    routing: Routing,
    finish: (finished: FinishedSend) => void,
  ): Promise<void> {
    let workspace: SendContext['workspace'];
    let ownDomains: OwnDomains;
    let templateOf: TemplateOf;
    let events: LatestEvents;
    try {
      workspace = await this.workspaces.get(scope);
      ownDomains = await this.ownDomains.of(scope);
      templateOf = await this.templates.of(scope, sends);
      events = await this.latestEvents(scope, sends, templateOf);
    } catch (error) {
      const failure = failureOf(error);
      if (failure.kind === 'lasting' && sends.length > 1) {
        // One of the messages, or its template, is the cause.
        await Promise.all(sends.map((send) => this.run(scope, [send], routing, finish)));
        return;
      }
      if (failure.kind === 'lasting') {
        for (const send of sends) finish(this.compositionFailed(scope, send, error));
        return;
      }
      // Nothing was sent, so all of them can be retried.
      this.logger.warn({ err: error, ...scope }, 'The data that messages need could not be loaded');
      for (const send of sends) finish(this.retryUnattempted(send));
      return;
    }
    await Promise.all(
      sends.map(async (send) => {
        const template = templateOf(send);
        const own = (send.contact && events.get(send.contact.externalId)) ?? {};
        finish(await this.attempt(send, { scope, workspace, ownDomains, template, events: own }, routing));
      }),
    );
  }

  private async attempt(send: ClaimedSend, context: SendContext, routing: Routing): Promise<FinishedSend> {
    const route = this.routes.named(context.scope.environment, send.transport) ?? routing.route;
    const target = { tenant: scopeKey(context.scope), domain: recipientDomainOf(send) };
    const { domain } = target;
    const { slots } = route;
    const shares = { all: slots.size, own: slots.share };
    const now = this.clock.now();
    if (context.workspace.status === 'suspended') return suspended(send, now);
    const isLastChance = !mayTryAgain(send.attempts, send.triedSince, now);
    const admission = route.domains.admit(domain, target.tenant, shares, now, isLastChance);
    if (admission.kind === 'wait') return this.deferForDomain(send, domain, admission);
    try {
      const composed = await this.composer.compose(send, context, this.clock.now());
      if (composed.kind === 'settled') return { send, outcome: composed.outcome, record: composed.record };
      const outcome = await this.transmit(send, composed.mail, target, { ...routing, by: route });
      return { send, outcome, record: composed.record };
    } catch (error) {
      if (error instanceof DomainError && error.code === 'service_unavailable')
        return this.retryUnattempted(send);
      if (error instanceof DomainError && error.code === 'work_too_costly')
        return {
          send,
          outcome: { kind: 'failed', code: 'render_failed', detail: error.detail },
          record: NOTHING_RECORDED,
        };
      return this.compositionFailed(context.scope, send, error);
    } finally {
      admission.leave();
    }
  }

  /** Requeues a message whose recipient's domain refuses mail for now or is slow, with a growing pause. */
  private deferForDomain(
    send: ClaimedSend,
    domain: string,
    { until, reason }: { readonly until: number; readonly reason: 'refused' | 'slow' },
  ): FinishedSend {
    const detail =
      `Mail to ${domain} is waiting: ` +
      `${reason === 'refused' ? 'its server is deferring mail' : 'its server is slow'}.`;
    const outcome = this.afterFailure(send, { kind: 'temporary', detail });
    const record = { ...NOTHING_RECORDED, toEmail: send.contact?.email ?? null };
    if (outcome.kind !== 'again') return { send, outcome, record };
    const pause = retryDelay('unreachable', Math.min(send.attempts, MAX_PAUSE_DOUBLINGS), Math.random());
    const at = new Date(Math.max(until, this.clock.now().getTime()) + pause);
    return { send, outcome: { ...outcome, at }, record };
  }

  /** A failure that no retry would fix makes the message a dead letter. */
  private compositionFailed(scope: TenantScope, send: ClaimedSend, error: unknown): FinishedSend {
    this.logger.error({ err: error, emailLogId: send.id, ...scope }, 'A message could not be built');
    const failure = failureOf(error);
    const code = failure.kind === 'lasting' ? failure.code : 'product_fault';
    const outcome = productFaultOutcome(undefined, send.reissues, DEAD_LETTER_REASONS[code]);
    return { send, outcome, record: NOTHING_RECORDED, deadLetterCode: code };
  }

  private async transmit(
    send: ClaimedSend,
    mail: OutgoingMail,
    target: MailTarget,
    { by: route, ...routing }: Routing & { readonly by: MailRoute },
  ): Promise<SendOutcome> {
    const { tenant } = target;
    // A message that may have left by one route uses no other route, and waits for it.
    if (route !== routing.route && !isOpen(route, tenant, this.clock.now()))
      return this.afterFailure(send, {
        kind: 'unreachable',
        detail: `It may already have been sent by ${route.name}, which cannot be reached.`,
      });
    try {
      await route.transport.send(mail);
      recordAccepted(route, target, this.clock.now());
      return { kind: 'sent' };
    } catch (error) {
      if (!(error instanceof TransportFailure)) throw error;
      const { failed, code } = error;
      const now = this.clock.now();
      const canReroute = send.reissues === 0 && routing.fallbacks.some((other) => isOpen(other, tenant, now));
      recordFailure(route, target, failed, canReroute, now);
      this.logger.warn(
        { emailLogId: send.id, transport: route.name, kind: failed.kind, code },
        'A message was not accepted',
      );
      const outcome = this.afterFailure(send, failed);
      return canReroute && failed.kind === 'unreachable' && outcome.kind === 'again'
        ? { ...outcome, at: now }
        : outcome;
    }
  }

  private afterFailure(send: ClaimedSend, failed: FailedAttempt): SendOutcome {
    return afterFailure(send, failed, this.clock.now(), Math.random());
  }

  private retryUnattempted(send: ClaimedSend): FinishedSend {
    const detail = 'The data that the message needs could not be loaded.';
    const outcome = this.afterFailure(send, { kind: 'unreachable', detail });
    return { send, outcome, record: NOTHING_RECORDED };
  }

  private async latestEvents(
    scope: TenantScope,
    sends: readonly ClaimedSend[],
    templateOf: TemplateOf,
  ): Promise<LatestEvents> {
    const keys = new Set<NameKey>();
    const externalIds = new Set<string>();
    for (const send of sends) {
      const read = this.texts.eventKeys(send, templateOf(send));
      if (!send.contact || read.length === 0) continue;
      externalIds.add(send.contact.externalId);
      for (const key of read) keys.add(key);
    }
    if (externalIds.size === 0) return new Map();
    return this.database.inScope(scope, (tx) =>
      this.events.of(tx, scope, [...externalIds], latestEventNames(keys)),
    );
  }
}

/** Requeues a message that was claimed while its workspace was being suspended. */
function suspended(send: ClaimedSend, at: Date): FinishedSend {
  const outcome = {
    kind: 'again',
    at,
    code: 'workspace_suspended',
    detail: 'The workspace is suspended.',
    reissue: false,
  } as const;
  return { send, outcome, record: NOTHING_RECORDED };
}

/** The empty string for a contact without an address. */
function recipientDomainOf({ contact }: ClaimedSend): string {
  return domainOf(contact?.email ?? '').toLowerCase();
}
