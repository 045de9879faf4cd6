/** Loads what explains trips: their rows with the trails, the steps of their versions, their messages. */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { isUuid, type TenantScope } from '../../../kernel/tenant-scope.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { TripMessages, type FrequencyCap } from '../../delivery/application/trip-messages.js';
import type { EmailLog } from '../../delivery/domain/email-log.js';
import { gatesOf, type CapUsage } from '../../delivery/domain/send-gates.js';
import { FlowCatalogue } from '../../flows/application/flow-catalogue.js';
import { GoalsOfFlow } from '../../flows/application/goals-of-flow.js';
import type { Goal } from '../../flows/domain/goal.js';
import { DeadLetterList } from '../../dead-letters/application/dead-letter-list.js';
import { DEAD_LETTER_REASONS } from '../../dead-letters/domain/dead-letter.js';
import { explain, type Explanation } from '../domain/explanation.js';
import type { TripConversion } from '../domain/trip-timeline.js';
import type { TripWithHistory } from '../domain/trip-with-history.js';
import type { TripMessage } from '../domain/trip-message.js';
import { throttleOf } from '../domain/throttle-of.js';
import {
  GoalConversionRepository,
  type RecordedConversion,
} from '../persistence/goal-conversion.repository.js';
import { TripHistoryRepository } from '../persistence/trip-history.repository.js';
import { TripSweeps } from './trip-sweeps.js';

/** If a goal counts many events of a trip, only the first ones are shown. */
const MAX_CONVERSIONS_PER_GOAL = 20;

export interface ExplainedTrip {
  readonly trip: TripWithHistory;
  readonly explanation: Explanation;
}

@Injectable()
export class TripExplanations {
  constructor(
    private readonly database: Database,
    private readonly histories: TripHistoryRepository,
    private readonly flows: FlowCatalogue,
    private readonly messages: TripMessages,
    private readonly goals: GoalsOfFlow,
    private readonly conversions: GoalConversionRepository,
    private readonly deadLetters: DeadLetterList,
    private readonly sweeps: TripSweeps,
    private readonly clock: Clock,
  ) {}

  /**
   * Why a trip is in its current state; undefined if there is no such trip.
   * @param withValues whether the caller may see the contact's values.
   */
  async ofTrip(scope: TenantScope, id: string, withValues: boolean): Promise<ExplainedTrip | undefined> {
    if (!isUuid(id)) return undefined;
    const cap = await this.cap(scope);
    return this.database.inScope(scope, async (tx) => {
      const trip = await this.histories.find(tx, scope, id);
      return trip && (await this.of(tx, scope, [trip], cap, withValues))[0];
    });
  }

  /** The workspace's frequency cap, as `ofContact` needs it. Call it outside of a transaction. */
  async cap(scope: TenantScope): Promise<FrequencyCap | undefined> {
    return this.messages.cap(scope);
  }

  /** A contact's latest trips through a flow, the latest first. */
  async ofContact(
    tx: Transaction,
    scope: TenantScope,
    contactInFlow: { readonly contactId: string; readonly flowId: string },
    limit: number,
    cap: FrequencyCap | undefined,
    withValues: boolean,
  ): Promise<ExplainedTrip[]> {
    const trips = await this.histories.ofContact(
      tx,
      scope,
      contactInFlow.contactId,
      contactInFlow.flowId,
      limit,
    );
    return this.of(tx, scope, trips, cap, withValues);
  }

  private async of(
    tx: Transaction,
    scope: TenantScope,
    trips: readonly TripWithHistory[],
    cap: FrequencyCap | undefined,
    withValues: boolean,
  ): Promise<ExplainedTrip[]> {
    const now = this.clock.now();
    const ids = trips.map(({ id }) => id);
    const logs = await this.messages.of(tx, scope, ids);
    const throttled = await this.throttledAmong(tx, scope, trips);
    const messages = messagesByTrip(logs, await this.messages.capUsageOf(tx, scope, logs, cap), throttled);
    const conversions = await this.conversionsOf(tx, scope, trips);
    const deadLetters = await this.deadLetters.bySubject(tx, scope, 'trip', ids);
    const erased = withValues ? await this.pendingErasures(tx, scope, trips) : new Set<string>();
    const explained: ExplainedTrip[] = [];
    for (const trip of trips) {
      const definition = await this.flows.definition(tx, scope, trip.flowId, trip.flowVersion);
      const deadLetter = deadLetters.get(trip.id);
      const inputs = {
        trip,
        steps: definition?.steps,
        messages: messages.get(trip.id) ?? [],
        conversions: conversions.get(trip.id) ?? [],
        deadLetter: deadLetter && { ...deadLetter, reason: DEAD_LETTER_REASONS[deadLetter.code] },
        withValues: withValues && !erased.has(trip.contactId),
      };
      explained.push({ trip, explanation: explain(inputs, now) });
    }
    return explained;
  }

  /** The flows of the trips that now have a throttle. A message uses a throttle slot whether or not there is one. */
  private async throttledAmong(
    tx: Transaction,
    scope: TenantScope,
    trips: readonly TripWithHistory[],
  ): Promise<ReadonlySet<string>> {
    const flowIds = [...new Set(trips.map(({ flowId }) => flowId))];
    const settings = await this.flows.settingsOf(tx, scope, flowIds);
    return new Set([...settings].filter(([, own]) => throttleOf(own) !== null).map(([flowId]) => flowId));
  }

  /** @param trips of one flow. */
  private async conversionsOf(
    tx: Transaction,
    scope: TenantScope,
    trips: readonly TripWithHistory[],
  ): Promise<ReadonlyMap<string, readonly TripConversion[]>> {
    const [first] = trips;
    const goals = first ? await this.goals.ofFlow(tx, scope, first.flowId) : [];
    if (goals.length === 0) return new Map();
    const ids = trips.map(({ id }) => id);
    const goalIds = goals.map(({ id }) => id);
    const recorded = await this.conversions.ofTrips(tx, scope, ids, goalIds, MAX_CONVERSIONS_PER_GOAL);
    return conversionsByTrip(recorded, goals);
  }

  /** The contacts whose values are still to be erased from the trails. */
  private async pendingErasures(
    tx: Transaction,
    scope: TenantScope,
    trips: readonly TripWithHistory[],
  ): Promise<ReadonlySet<string>> {
    const erased = new Set<string>();
    for (const contactId of new Set(trips.map((trip) => trip.contactId)))
      if (await this.sweeps.isPending(tx, scope, { kind: 'contact_erased', subjectId: contactId }))
        erased.add(contactId);
    return erased;
  }
}

function messagesByTrip(
  logs: readonly EmailLog[],
  caps: ReadonlyMap<string, CapUsage>,
  throttled: ReadonlySet<string>,
): Map<string, TripMessage[]> {
  const originals = new Map(logs.filter(({ origin }) => origin === 'trip').map((log) => [log.id, log]));
  const byTrip = new Map<string, TripMessage[]>();
  for (const log of logs) {
    const first = log.origin === 'trip' ? log : originals.get(log.originId);
    if (!first) continue;
    const message: TripMessage = {
      id: log.id,
      stepId: first.originStep,
      isRepetition: log !== first,
      templateSlug: log.templateSlug,
      status: log.status,
      errorCode: log.errorCode,
      suppressedReason: log.suppressedReason,
      heldBy: log.waitsFor,
      gates: gatesOf(log.options.emailSendSettings, wasThrottled(log, throttled)),
      heldUntil: heldUntil(log),
      cap: caps.get(log.id) ?? null,
      attempts: log.attempts,
      nextAttemptAt: log.nextAttemptAt,
      sentAt: log.sentAt,
      createdAt: log.createdAt,
    };
    byTrip.set(first.originId, [...(byTrip.get(first.originId) ?? []), message]);
  }
  return byTrip;
}

function wasThrottled({ slotAt, sourceId, waitsFor }: EmailLog, throttled: ReadonlySet<string>): boolean {
  return waitsFor === 'throttle' || (slotAt !== null && sourceId !== null && throttled.has(sourceId));
}

/**
 * Until when a gate held the message back that no gate holds back now. It may since have been released or canceled.
 */
function heldUntil({ waitsFor, heldUntil: until, updatedAt }: EmailLog): Date | null {
  if (waitsFor !== null || until === null) return null;
  return until < updatedAt ? until : updatedAt;
}

function conversionsByTrip(
  recorded: readonly RecordedConversion[],
  goals: readonly Goal[],
): Map<string, TripConversion[]> {
  const byTrip = new Map<string, TripConversion[]>();
  for (const { tripId, ...conversion } of recorded) {
    const goal = goals.find(({ id }) => id === conversion.goalId);
    if (!goal) continue;
    const { name: goalName, eventName, exitOnConversion: exits } = goal;
    byTrip.set(tripId, [...(byTrip.get(tripId) ?? []), { ...conversion, goalName, eventName, exits }]);
  }
  return byTrip;
}
