/** Requests failed messages of trips again because a person wants it; the trips themselves stay at their step. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { uuidv7 } from '../../../kernel/uuid.js';
import type { Transaction } from '../../../platform/database/database.js';
import { MessageRepetition } from '../../delivery/application/message-repetition.js';
import { TripMessages } from '../../delivery/application/trip-messages.js';
import type { EmailLog } from '../../delivery/domain/email-log.js';
import { FlowStatusRepository } from '../../flows/persistence/flow-status.repository.js';
import { formatHistory } from '../domain/trip-history.js';
import { retryActionOf, type MovableTrip, type RefusedTrip } from '../domain/trip-move.js';
import { TripMoveRepository, type StepMessages, type TripMove } from '../persistence/trip-move.repository.js';

/** A message of a trip that is to be requested again. */
export interface RepetitionRequest {
  readonly tripId: string;
  readonly flowId: string;
  readonly stepId: number;
  readonly messageId: string;
}

/** The results for trips that were to be moved, by trip id. */
export interface MovedTrips {
  readonly moved: readonly string[];
  readonly refused: readonly RefusedTrip[];
}

const NO_MOVES: MovedTrips = { moved: [], refused: [] };

@Injectable()
export class TripRepetitions {
  constructor(
    private readonly messages: TripMessages,
    private readonly repetition: MessageRepetition,
    private readonly moves: TripMoveRepository,
    private readonly statuses: FlowStatusRepository,
  ) {}

  /** Repeats the last failed message of each trip that has one; the trips are locked. */
  async ofTrips(
    tx: Transaction,
    scope: TenantScope,
    trips: readonly MovableTrip[],
    by: string,
    now: Date,
  ): Promise<MovedTrips> {
    if (trips.length === 0) return NO_MOVES;
    const ids = trips.map(({ id }) => id);
    const latest = latestOfTrips(await this.messages.of(tx, scope, ids));
    const requests = trips.flatMap(({ id: tripId, flowId }): RepetitionRequest[] => {
      const message = latest.get(tripId);
      return message ? [{ tripId, flowId, stepId: message.originStep, messageId: message.id }] : [];
    });
    const { moved, refused } = await this.ofMessages(tx, scope, requests, by, now);
    const withoutMessage = ids.filter((id) => !latest.has(id));
    return {
      moved,
      refused: [
        ...refused,
        ...withoutMessage.map((tripId): RefusedTrip => ({ tripId, code: 'nothing_failed' })),
      ],
    };
  }

  /** Repeats these messages of trips, which are locked. */
  async ofMessages(
    tx: Transaction,
    scope: TenantScope,
    requests: readonly RepetitionRequest[],
    by: string,
    now: Date,
  ): Promise<MovedTrips> {
    if (requests.length === 0) return NO_MOVES;
    const ids = requests.map(({ messageId }) => messageId);
    const refusals = await this.repetition.repeat(tx, scope, ids, now);
    const refused = requests.flatMap(({ tripId, messageId }): RefusedTrip[] => {
      const code = refusals.get(messageId);
      return code ? [{ tripId, code }] : [];
    });
    const moves = requests
      .filter(({ messageId }) => !refusals.has(messageId))
      .map(({ tripId, flowId, stepId }): TripMove => {
        const id = uuidv7(now.getTime());
        return { id, tripId, flowId, stepId, kind: 'send_again', movedBy: by, movedAt: now };
      });
    await this.recordHistory(tx, scope, moves, by, now);
    await this.moves.record(tx, scope, moves);
    return { moved: moves.map(({ tripId }) => tripId), refused };
  }

  /**
   * Repeats a limited number of failed messages of a step of a flow, from a cursor on.
   * @returns the results, and the id of the last message checked; null if there are no more.
   */
  async ofStep(
    tx: Transaction,
    scope: TenantScope,
    { flowId, stepId, after, limit }: StepMessages,
    by: string,
    now: Date,
  ): Promise<MovedTrips & { readonly last: string | null }> {
    const statuses = await this.statuses.lockStatuses(tx, scope, [flowId]);
    const found = await this.moves.failedMessages(tx, scope, { flowId, stepId, after, limit });
    const ids = [...new Set(found.map(({ tripId }) => tripId))];
    const trips = new Map((await this.moves.find(tx, scope, ids, true)).map((trip) => [trip.id, trip]));
    const refused: RefusedTrip[] = [];
    const requests = found.flatMap(({ id: messageId, tripId }): RepetitionRequest[] => {
      const trip = trips.get(tripId);
      const retry = trip && retryActionOf(trip, statuses.get(flowId));
      if (retry && retry.kind !== 'refuse') return [{ tripId, flowId, stepId, messageId }];
      refused.push({ tripId, code: retry?.code ?? 'trip_not_found' });
      return [];
    });
    const done = await this.ofMessages(tx, scope, requests, by, now);
    const last = found.length < limit ? null : (found.at(-1)?.id ?? null);
    return { moved: done.moved, refused: [...refused, ...done.refused], last };
  }

  /** How many failed messages of a step come after one. */
  async countRemaining(tx: Transaction, scope: TenantScope, page: StepMessages): Promise<number> {
    return (await this.moves.failedMessages(tx, scope, page)).length;
  }

  private async recordHistory(
    tx: Transaction,
    scope: TenantScope,
    moved: readonly TripMove[],
    by: string,
    at: Date,
  ): Promise<void> {
    for (const stepId of new Set(moved.map((move) => move.stepId))) {
      const ids = moved.filter((move) => move.stepId === stepId).map(({ tripId }) => tripId);
      const historyLines = formatHistory([{ at, stepId, outcome: 'sent_again', facts: { by } }]);
      await this.moves.appendHistory(tx, scope, ids, historyLines);
    }
  }
}

/** The last failed message of each trip; its last message if none failed. */
function latestOfTrips(logs: readonly EmailLog[]): Map<string, EmailLog> {
  const latest = new Map<string, EmailLog>();
  for (const log of logs) {
    if (log.origin !== 'trip') continue;
    const other = latest.get(log.originId);
    if (other?.status !== 'failed' || log.status === 'failed') latest.set(log.originId, log);
  }
  return latest;
}
