/**
 * The sender's transactions with the ledger. One transaction stores the outcomes of attempts, claims due messages, and
 * announces the settled ones to listeners.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { Clock } from '../../../kernel/clock.js';
import type { ContentType } from '../../../kernel/email-settings.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { ProcessLease } from '../../../platform/database/process-lease.js';
import { LOGGER } from '../../../platform/logging/logger.js';
import { Metrics } from '../../../platform/telemetry/metrics.js';
import { MonthlyEmails } from '../../limits/application/monthly-emails.js';
import { planOf } from '../../limits/domain/plan.js';
import { Batches } from '../../dead-letters/application/batches.js';
import { failureOf, permanentReasonOf } from '../../dead-letters/application/failure.js';
import { DeadLetterList } from '../../dead-letters/application/dead-letter-list.js';
import { DEAD_LETTER_REASONS, type DeadLetterCode } from '../../dead-letters/domain/dead-letter.js';
import { WorkspaceService } from '../../workspaces/application/workspace.service.js';
import { NOTHING_RECORDED, type ClaimedSend, type FinishedSend } from '../domain/claimed-send.js';
import type { MessageState } from '../domain/email-log.js';
import { afterCrash } from '../domain/retry.js';
import { productFaultOutcome } from '../domain/send-outcome.js';
import {
  SendLedgerRepository,
  type DueSend,
  type ClaimRequest,
} from '../persistence/send-ledger.repository.js';
import { CampaignGate } from './campaign-gate.js';
import { TerminatedTrips } from './terminated-trips.port.js';
import { MailRoutes } from './mail-routes.js';
import { MessageCancellation } from './message-cancellation.js';
import { RecipientSendStates } from './recipient-send-states.js';
import { SendDeadLetters } from './send-dead-letters.js';
import { SendGates } from './send-gates.js';
import { SettledMessages } from './settled-messages.js';

/**
 * Milliseconds before messages of a process that seems dead are taken over. A process that only lost its database for a
 * moment can store its results first.
 */
const TAKEOVER_GRACE_MS = 2_000;

const NO_SENDS: ReadonlySet<DueSend> = new Set();

/** The result of a claim-and-settle batch. */
export interface ClaimBatch {
  readonly claimed: ClaimedSend[];
  /** For each kind, whether no more messages are due; undefined for a kind that was not queried. */
  readonly exhausted: { readonly [Kind in ContentType]: boolean | undefined };
}

/** A batch that only stores. */
export const CLAIM_NONE: ClaimRequest = { all: 0, promotional: 0, overdue: 0 };
const CLAIM_ANY_ONE: ClaimRequest = { all: 1, promotional: 1, overdue: 0 };

interface IndividualSettlement {
  /** The transport for which to claim a message; undefined for none. */
  readonly claimFor: string | undefined;
  /** Whether to treat what prevents a claim as temporary. Otherwise it is treated as permanent. */
  readonly mayRetryClaim: boolean;
  /** The same for what prevents an outcome from being stored. */
  readonly mayRetryOutcome: (send: ClaimedSend) => boolean;
}

@Injectable()
export class SendBatches {
  constructor(
    private readonly database: Database,
    private readonly ledger: SendLedgerRepository,
    private readonly recipients: RecipientSendStates,
    private readonly presence: ProcessLease,
    private readonly workspaces: WorkspaceService,
    private readonly gates: SendGates,
    private readonly campaigns: CampaignGate,
    private readonly terminatedTrips: TerminatedTrips,
    private readonly cancellation: MessageCancellation,
    private readonly settled: SettledMessages,
    private readonly deadLetters: DeadLetterList,
    private readonly batches: Batches,
    private readonly sendDeadLetters: SendDeadLetters,
    private readonly emails: MonthlyEmails,
    private readonly routes: MailRoutes,
    private readonly clock: Clock,
    private readonly metrics: Metrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Stores finished attempts and claims at most the given number of due messages. Gates may let fewer through.
   * @param by the name of the transport for the claimed messages, if any are wanted.
   * @returns messages to attempt, and whether there may be more.
   */
  async claimAndSettle(
    scope: TenantScope,
    finished: readonly FinishedSend[],
    request: ClaimRequest,
    by = '',
  ): Promise<ClaimBatch> {
    return this.runBatch(scope, finished, { ...request, by }, (tx, stored, now) =>
      this.settled.announce(tx, scope, stored, now),
    );
  }

  /**
   * After a batch that failed although the database could be reached: stores each attempt separately, even if its
   * announcement fails. An attempt that still cannot be stored is stored without its record. If that fails too, the
   * message becomes a dead letter, with an unknown outcome if it may have left. A message that cannot be claimed even
   * alone becomes a dead letter as well.
   * @returns claimed messages, and attempts that could not be stored for reasons that may pass.
   * @throws when the database cannot be reached, and what prevents a claim while that is treated as temporary.
   */
  async settleIndividually(
    scope: TenantScope,
    finished: readonly FinishedSend[],
    { claimFor, mayRetryClaim, mayRetryOutcome }: IndividualSettlement,
  ): Promise<{ readonly claimed: ClaimedSend[]; readonly unstored: readonly FinishedSend[] }> {
    const unstored: FinishedSend[] = [];
    for (const one of finished)
      try {
        await this.storeIndividually(scope, one, mayRetryOutcome(one.send));
      } catch (error) {
        if (failureOf(error).kind === 'unreachable') throw error;
        this.logger.warn(
          { err: error, emailLogId: one.send.id, ...scope },
          'The outcome of a message is waiting to be stored',
        );
        unstored.push(one);
      }
    let claimed: ClaimedSend[] = [];
    if (claimFor !== undefined)
      await catchPermanent(
        mayRetryClaim,
        async () => void (claimed = (await this.claimAndSettle(scope, [], CLAIM_ANY_ONE, claimFor)).claimed),
        async (code, error) => {
          const now = this.clock.now();
          const id = await this.database.inScope(scope, (tx) => this.ledger.firstDue(tx, scope, now));
          if (id !== undefined)
            await this.batches.deadLetter(scope, this.sendDeadLetters, id, { code, error });
        },
      );
    return { claimed, unstored };
  }

  private async storeIndividually(scope: TenantScope, one: FinishedSend, mayRetry: boolean): Promise<void> {
    const { send } = one;
    const store = (what: FinishedSend): Promise<unknown> =>
      this.runBatch(scope, [what], { ...CLAIM_NONE, by: '' }, (tx, stored, now) =>
        this.settled.announceIndividually(tx, scope, stored, { now, mayRetry }),
      );
    const markDeadLetter = async (code: DeadLetterCode, error: unknown): Promise<void> => {
      this.logger.error(
        { err: error, emailLogId: send.id, code, ...scope },
        'The outcome of a message was not stored',
      );
      const outcome = productFaultOutcome(one.outcome, send.reissues, DEAD_LETTER_REASONS[code]);
      await store({ send, outcome, record: NOTHING_RECORDED, deadLetterCode: code });
    };
    const unrecorded = { ...one, record: NOTHING_RECORDED };
    await catchPermanent(
      mayRetry,
      () => store(one),
      () => catchPermanent(mayRetry, () => store(unrecorded), markDeadLetter),
    );
  }

  /**
   * Takes over messages that were left `sending`: those of dead processes, whose outcome is unknown, and those that
   * this process claimed without getting the result, which were never sent. Also releases messages from throttle
   * queues.
   * @param inFlight ids of the messages that this process works on.
   * @param mayRetry see SettledMessages.
   */
  async recoverAbandoned(scope: TenantScope, inFlight: readonly string[], mayRetry: boolean): Promise<void> {
    const now = this.clock.now();
    const sender = await this.presence.number();
    const settledBefore = new Date(now.getTime() - TAKEOVER_GRACE_MS);
    const stored = await this.database.inScope(scope, async (tx) => {
      const abandoned = await this.ledger.lockAbandoned(tx, scope, sender, inFlight, settledBefore);
      const decided = abandoned.map(({ id, isOwn, ...log }) => {
        const isLost = !isOwn && afterCrash(log) === 'unknown';
        return {
          id,
          status: isLost ? ('unknown' as const) : ('queued' as const),
          isReissue: !isOwn && !isLost,
        };
      });
      const stored = await this.ledger.takeOver(tx, scope, decided, now);
      await this.settled.announceIndividually(tx, scope, stored, { now, mayRetry });
      await this.gates.releaseThrottled(tx, scope, now);
      return stored;
    });
    for (const { status } of stored)
      this.metrics.sends.inc({ outcome: status === 'unknown' ? 'unknown' : 'recovered' });
  }

  private async runBatch(
    scope: TenantScope,
    finished: readonly FinishedSend[],
    { by, ...request }: ClaimRequest & { readonly by: string },
    announce: (tx: Transaction, stored: readonly MessageState[], now: Date) => Promise<void>,
  ): Promise<ClaimBatch> {
    const now = this.clock.now();
    const sender = request.all > 0 ? await this.presence.number() : 0;
    const workspace = request.all > 0 ? await this.workspaces.find(scope) : undefined;
    // Mail of a suspended workspace stays in the queue until the workspace is active again.
    const allowed = workspace?.status === 'suspended' ? CLAIM_NONE : request;
    const batch = await this.database.inScope(scope, async (tx) => {
      const stored = await this.ledger.store(tx, scope, finished, now);
      await this.recordDeadLetters(tx, scope, finished, stored, now);
      await announce(tx, stored, now);
      const routes = { by, known: this.routes.names(scope.environment) };
      const due = await this.ledger.claim(tx, scope, allowed, { sender, now, routes });
      const eligible = await this.cancelUnwanted(tx, scope, due, now);
      const admitted = await this.campaigns.admit(tx, scope, eligible, now);
      const { sends, refused: found } = await this.gates.admit(
        tx,
        scope,
        admitted,
        workspace?.settings ?? {},
        now,
      );
      const stateOf = await this.recipients.of(tx, scope, sends, now);
      const overCap = workspace ? await this.charge(tx, scope, workspace.plan, sends, now) : NO_SENDS;
      const waiting = new Set(sends.filter((send) => overCap.has(send) && send.campaignId !== null));
      await this.campaigns.holdStopped(tx, scope, [...waiting], 'plan_limit_reached', now);
      const going = sends.filter((send) => !waiting.has(send));
      const claimed = going.map((send) => ({
        ...send,
        ...stateOf(send),
        refusedBy: overCap.has(send) ? ('plan_limit_reached' as const) : (found.get(send.id) ?? null),
      }));
      return { claimed, exhausted: exhaustionOf(due, request) };
    });
    for (const { outcome } of finished) this.metrics.sends.inc({ outcome: outcome.kind });
    return batch;
  }

  /**
   * Charges claimed messages to the month's emails, once each regardless of retries. This is the last check, because
   * under a cap all other sends of the tenant wait until the transaction ends.
   * @returns those that the plan no longer allows.
   */
  private async charge(
    tx: Transaction,
    scope: TenantScope,
    plan: string,
    sends: readonly DueSend[],
    now: Date,
  ): Promise<ReadonlySet<DueSend>> {
    const uncharged = sends.filter(({ chargedBefore }) => chargedBefore === null);
    const { granted } = await this.emails.charge(tx, scope, planOf(plan), uncharged.length, now);
    const overCap = uncharged.slice(granted);
    if (overCap.length === 0) return NO_SENDS;
    const ids = overCap.map(({ id }) => id);
    await this.ledger.uncharge(tx, scope, ids);
    return new Set(overCap);
  }

  /**
   * Cancels retried messages whose trip has ended. While an outcome is being stored, the transaction that ends the trip
   * does not see the message as queued, so it could not cancel it. A first attempt costs no query.
   */
  private async cancelUnwanted(
    tx: Transaction,
    scope: TenantScope,
    due: readonly DueSend[],
    now: Date,
  ): Promise<readonly DueSend[]> {
    const tripIds = due.flatMap(({ askedAgainOf }) => askedAgainOf ?? []);
    if (tripIds.length === 0) return due;
    const ended = await this.terminatedTrips.among(tx, scope, tripIds);
    const isWanted = ({ askedAgainOf }: DueSend): boolean =>
      askedAgainOf === null || !ended.has(askedAgainOf);
    const unwanted = due.filter((send) => !isWanted(send));
    if (unwanted.length === 0) return due;
    await this.cancellation.cancelClaimed(tx, scope, unwanted, now);
    return due.filter(isWanted);
  }

  /** Records messages that failed by a fault of the product as dead letters. */
  private async recordDeadLetters(
    tx: Transaction,
    scope: TenantScope,
    finished: readonly FinishedSend[],
    stored: readonly MessageState[],
    now: Date,
  ): Promise<void> {
    const changed = new Set(stored.map(({ id }) => id));
    for (const { send, deadLetterCode: code } of finished) {
      if (code === undefined || !changed.has(send.id)) continue;
      await this.deadLetters.add(tx, scope, 'send', { subjectId: send.id, code }, now);
    }
  }
}

/** For each kind, whether a claim returned all that was due. */
function exhaustionOf(
  due: readonly DueSend[],
  { all, promotional, overdue }: ClaimRequest,
): ClaimBatch['exhausted'] {
  const found = due.filter(({ contentType }) => contentType === 'promotional').length;
  const requested = Math.min(promotional, all - (due.length - found));
  return {
    transactional: all > 0 ? due.length < all || found > overdue : undefined,
    promotional: requested > 0 ? found < requested : undefined,
  };
}

/** Runs `work`, and `otherwise` if it fails for a reason that is treated as permanent. */
async function catchPermanent(
  mayRetry: boolean,
  work: () => Promise<unknown>,
  otherwise: (code: DeadLetterCode, error: unknown) => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    const code = permanentReasonOf(error, mayRetry);
    if (code === undefined) throw error;
    await otherwise(code, error);
  }
}
