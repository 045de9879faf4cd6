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
import { Presence } from '../../../platform/database/presence.js';
import { LOGGER } from '../../../platform/logging/logger.js';
import { Metrics } from '../../../platform/telemetry/metrics.js';
import { MonthlyEmails } from '../../limits/application/monthly-emails.js';
import { planOf } from '../../limits/domain/plan.js';
import { Batches } from '../../set-aside/application/batches.js';
import { failureOf, lastingReasonOf } from '../../set-aside/application/failure.js';
import { SetAsideList } from '../../set-aside/application/set-aside-list.js';
import { SET_ASIDE_REASONS, type SetAsideCode } from '../../set-aside/domain/set-aside-work.js';
import { WorkspaceService } from '../../workspaces/application/workspace.service.js';
import { NOTHING_RECORDED, type ClaimedSend, type FinishedSend } from '../domain/claimed-send.js';
import type { MessageState } from '../domain/email-log.js';
import { afterCrash } from '../domain/retry.js';
import { givenUp } from '../domain/send-outcome.js';
import {
  SendLedgerRepository,
  type DueSend,
  type WantedSends,
} from '../persistence/send-ledger.repository.js';
import { CampaignGate } from './campaign-gate.js';
import { TripsCutShort } from './trips-cut-short.port.js';
import { MailRoutes } from './mail-routes.js';
import { MessageCancellation } from './message-cancellation.js';
import { MessageStanding } from './message-standing.js';
import { QueuedMessages } from './queued-messages.js';
import { SendGates } from './send-gates.js';
import { SettledMessages } from './settled-messages.js';

/**
 * Milliseconds before messages of a process that seems dead are taken over. A process that only lost its database for a
 * moment can store its results first.
 */
const GRACE = 2_000;

const NONE: ReadonlySet<DueSend> = new Set();

/** The result of a claim-and-settle batch. */
export interface Taken {
  readonly claimed: ClaimedSend[];
  /** For each kind, whether no more messages are due; undefined for a kind that was not queried. */
  readonly isAll: { readonly [Kind in ContentType]: boolean | undefined };
}

/** A batch that only stores. */
export const NONE_WANTED: WantedSends = { all: 0, promotional: 0, patient: 0 };
const ANY_ONE: WantedSends = { all: 1, promotional: 1, patient: 0 };

interface Rescue {
  /** The transport for which to claim a message; undefined for none. */
  readonly claims: string | undefined;
  /** Whether to treat what prevents a claim as temporary. Otherwise it is treated as permanent. */
  readonly isPatient: boolean;
  /** The same for what prevents an outcome from being stored. */
  readonly isPatientWith: (send: ClaimedSend) => boolean;
}

@Injectable()
export class SendExchange {
  constructor(
    private readonly database: Database,
    private readonly ledger: SendLedgerRepository,
    private readonly standing: MessageStanding,
    private readonly presence: Presence,
    private readonly workspaces: WorkspaceService,
    private readonly gates: SendGates,
    private readonly campaigns: CampaignGate,
    private readonly tripsCutShort: TripsCutShort,
    private readonly cancellation: MessageCancellation,
    private readonly settled: SettledMessages,
    private readonly list: SetAsideList,
    private readonly batches: Batches,
    private readonly queue: QueuedMessages,
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
  async exchange(
    scope: TenantScope,
    finished: readonly FinishedSend[],
    wanted: WantedSends,
    by = '',
  ): Promise<Taken> {
    return this.transact(scope, finished, { ...wanted, by }, (tx, stored, now) =>
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
  async rescue(
    scope: TenantScope,
    finished: readonly FinishedSend[],
    { claims, isPatient, isPatientWith }: Rescue,
  ): Promise<{ readonly claimed: ClaimedSend[]; readonly refused: readonly FinishedSend[] }> {
    const refused: FinishedSend[] = [];
    for (const one of finished)
      try {
        await this.storeAlone(scope, one, isPatientWith(one.send));
      } catch (error) {
        if (failureOf(error).kind === 'unreachable') throw error;
        this.logger.warn(
          { err: error, emailLogId: one.send.id, ...scope },
          'The outcome of a message is waiting to be stored',
        );
        refused.push(one);
      }
    let claimed: ClaimedSend[] = [];
    if (claims !== undefined)
      await unlessLasting(
        isPatient,
        async () => void (claimed = (await this.exchange(scope, [], ANY_ONE, claims)).claimed),
        async (code, error) => {
          const now = this.clock.now();
          const id = await this.database.inScope(scope, (tx) => this.ledger.firstDue(tx, scope, now));
          if (id !== undefined) await this.batches.setAside(scope, this.queue, id, { code, error });
        },
      );
    return { claimed, refused };
  }

  private async storeAlone(scope: TenantScope, one: FinishedSend, isPatient: boolean): Promise<void> {
    const { send } = one;
    const store = (what: FinishedSend): Promise<unknown> =>
      this.transact(scope, [what], { ...NONE_WANTED, by: '' }, (tx, stored, now) =>
        this.settled.announceInAnyCase(tx, scope, stored, { now, isPatient }),
      );
    const giveUp = async (code: SetAsideCode, error: unknown): Promise<void> => {
      this.logger.error(
        { err: error, emailLogId: send.id, code, ...scope },
        'The outcome of a message was not stored',
      );
      const outcome = givenUp(one.outcome, send.reissues, SET_ASIDE_REASONS[code]);
      await store({ send, outcome, record: NOTHING_RECORDED, setAside: code });
    };
    const unrecorded = { ...one, record: NOTHING_RECORDED };
    await unlessLasting(
      isPatient,
      () => store(one),
      () => unlessLasting(isPatient, () => store(unrecorded), giveUp),
    );
  }

  /**
   * Takes over messages that were left `sending`: those of dead processes, whose outcome is unknown, and those that
   * this process claimed without getting the result, which were never sent. Also releases messages from throttle
   * queues.
   * @param inHand ids of the messages that this process works on.
   * @param isPatient see SettledMessages.
   */
  async recover(scope: TenantScope, inHand: readonly string[], isPatient: boolean): Promise<void> {
    const now = this.clock.now();
    const sender = await this.presence.number();
    const settledBefore = new Date(now.getTime() - GRACE);
    const stored = await this.database.inScope(scope, async (tx) => {
      const left = await this.ledger.leftBehind(tx, scope, sender, inHand, settledBefore);
      const decided = left.map(({ id, isOwn, ...log }) => {
        const isLost = !isOwn && afterCrash(log) === 'unknown';
        return {
          id,
          status: isLost ? ('unknown' as const) : ('queued' as const),
          isReissue: !isOwn && !isLost,
        };
      });
      const stored = await this.ledger.takeOver(tx, scope, decided, now);
      await this.settled.announceInAnyCase(tx, scope, stored, { now, isPatient });
      await this.gates.openLines(tx, scope, now);
      return stored;
    });
    for (const { status } of stored)
      this.metrics.sends.inc({ outcome: status === 'unknown' ? 'unknown' : 'recovered' });
  }

  private async transact(
    scope: TenantScope,
    finished: readonly FinishedSend[],
    { by, ...wanted }: WantedSends & { readonly by: string },
    announce: (tx: Transaction, stored: readonly MessageState[], now: Date) => Promise<void>,
  ): Promise<Taken> {
    const now = this.clock.now();
    const sender = wanted.all > 0 ? await this.presence.number() : 0;
    const workspace = wanted.all > 0 ? await this.workspaces.find(scope) : undefined;
    // Mail of a suspended workspace stays in the queue until the workspace is active again.
    const claims = workspace?.status === 'suspended' ? NONE_WANTED : wanted;
    const taken = await this.database.inScope(scope, async (tx) => {
      const stored = await this.ledger.store(tx, scope, finished, now);
      await this.setAside(tx, scope, finished, stored, now);
      await announce(tx, stored, now);
      const ways = { by, known: this.routes.names(scope.environment) };
      const due = await this.ledger.claim(tx, scope, claims, { sender, now, ways });
      const wantedStill = await this.stillWanted(tx, scope, due, now);
      const stillWanted = await this.campaigns.admit(tx, scope, wantedStill, now);
      const { sends, refused: found } = await this.gates.admit(
        tx,
        scope,
        stillWanted,
        workspace?.settings ?? {},
        now,
      );
      const standing = await this.standing.of(tx, scope, sends, now);
      const beyondCap = workspace ? await this.charge(tx, scope, workspace.plan, sends, now) : NONE;
      const waiting = new Set(sends.filter((send) => beyondCap.has(send) && send.campaignId !== null));
      await this.campaigns.stop(tx, scope, [...waiting], 'plan_limit_reached', now);
      const going = sends.filter((send) => !waiting.has(send));
      const claimed = going.map((send) => ({
        ...send,
        ...standing(send),
        refusedBy: beyondCap.has(send) ? ('plan_limit_reached' as const) : (found.get(send.id) ?? null),
      }));
      return { claimed, isAll: isAllOf(due, wanted) };
    });
    for (const { outcome } of finished) this.metrics.sends.inc({ outcome: outcome.kind });
    return taken;
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
    const { granted } = await this.emails.take(tx, scope, planOf(plan), uncharged.length, now);
    const beyond = uncharged.slice(granted);
    if (beyond.length === 0) return NONE;
    const ids = beyond.map(({ id }) => id);
    await this.ledger.uncharge(tx, scope, ids);
    return new Set(beyond);
  }

  /**
   * Cancels retried messages whose trip has ended. While an outcome is being stored, the transaction that ends the trip
   * does not see the message as queued, so it could not cancel it. A first attempt costs no query.
   */
  private async stillWanted(
    tx: Transaction,
    scope: TenantScope,
    due: readonly DueSend[],
    now: Date,
  ): Promise<readonly DueSend[]> {
    const tripIds = due.flatMap(({ askedAgainOf }) => askedAgainOf ?? []);
    if (tripIds.length === 0) return due;
    const ended = await this.tripsCutShort.among(tx, scope, tripIds);
    const isWanted = ({ askedAgainOf }: DueSend): boolean =>
      askedAgainOf === null || !ended.has(askedAgainOf);
    const unwanted = due.filter((send) => !isWanted(send));
    if (unwanted.length === 0) return due;
    await this.cancellation.cancelTaken(tx, scope, unwanted, now);
    return due.filter(isWanted);
  }

  /** Records messages that failed by a fault of the product as dead letters. */
  private async setAside(
    tx: Transaction,
    scope: TenantScope,
    finished: readonly FinishedSend[],
    stored: readonly MessageState[],
    now: Date,
  ): Promise<void> {
    const changed = new Set(stored.map(({ id }) => id));
    for (const { send, setAside: code } of finished) {
      if (code === undefined || !changed.has(send.id)) continue;
      await this.list.note(tx, scope, 'send', { subjectId: send.id, code }, now);
    }
  }
}

/** For each kind, whether a claim returned all that was due. */
function isAllOf(due: readonly DueSend[], { all, promotional, patient }: WantedSends): Taken['isAll'] {
  const found = due.filter(({ contentType }) => contentType === 'promotional').length;
  const lookedFor = Math.min(promotional, all - (due.length - found));
  return {
    transactional: all > 0 ? due.length < all || found > patient : undefined,
    promotional: lookedFor > 0 ? found < lookedFor : undefined,
  };
}

/** Runs `work`, and `otherwise` if it fails for a reason that is treated as permanent. */
async function unlessLasting(
  isPatient: boolean,
  work: () => Promise<unknown>,
  otherwise: (code: SetAsideCode, error: unknown) => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    const code = lastingReasonOf(error, isPatient);
    if (code === undefined) throw error;
    await otherwise(code, error);
  }
}
