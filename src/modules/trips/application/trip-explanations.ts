/** Loads what explains trips: their rows with the trails, the steps of their versions, their messages. */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { isUuid, type TenantScope } from '../../../kernel/tenant-scope.js';
import { Database, type Transaction } from '../../../platform/database/database.js';
import { TripMessages } from '../../delivery/application/trip-messages.js';
import type { EmailLog } from '../../delivery/domain/email-log.js';
import { FlowCatalogue } from '../../flows/application/flow-catalogue.js';
import { SetAsideList } from '../../set-aside/application/set-aside-list.js';
import { SET_ASIDE_REASONS } from '../../set-aside/domain/set-aside-work.js';
import { explain, type Explanation } from '../domain/explanation.js';
import type { KeptTrip } from '../domain/kept-trip.js';
import type { TripMessage } from '../domain/message-words.js';
import { TripStoryRepository } from '../persistence/trip-story.repository.js';

export interface ExplainedTrip {
  readonly trip: KeptTrip;
  readonly explanation: Explanation;
}

@Injectable()
export class TripExplanations {
  constructor(
    private readonly database: Database,
    private readonly stories: TripStoryRepository,
    private readonly flows: FlowCatalogue,
    private readonly messages: TripMessages,
    private readonly setAside: SetAsideList,
    private readonly clock: Clock,
  ) {}

  /**
   * Why a trip is where it is; undefined when there is none.
   * @param withValues whether the caller may see the contact's values.
   */
  async ofTrip(scope: TenantScope, id: string, withValues: boolean): Promise<ExplainedTrip | undefined> {
    if (!isUuid(id)) return undefined;
    return this.database.inScope(scope, async (tx) => {
      const trip = await this.stories.find(tx, scope, id);
      return trip && (await this.of(tx, scope, [trip], withValues))[0];
    });
  }

  /** A contact's latest trips through a flow, the latest first. */
  async ofContact(
    tx: Transaction,
    scope: TenantScope,
    who: { readonly contactId: string; readonly flowId: string },
    limit: number,
    withValues: boolean,
  ): Promise<ExplainedTrip[]> {
    const trips = await this.stories.ofContact(tx, scope, who.contactId, who.flowId, limit);
    return this.of(tx, scope, trips, withValues);
  }

  private async of(
    tx: Transaction,
    scope: TenantScope,
    trips: readonly KeptTrip[],
    withValues: boolean,
  ): Promise<ExplainedTrip[]> {
    const now = this.clock.now();
    const ids = trips.map(({ id }) => id);
    const messages = messagesByTrip(await this.messages.of(tx, scope, ids));
    const setAside = await this.setAside.of(tx, scope, 'trip', ids);
    const explained: ExplainedTrip[] = [];
    for (const trip of trips) {
      const definition = await this.flows.definition(tx, scope, trip.flowId, trip.flowVersion);
      const work = setAside.get(trip.id);
      const facts = {
        trip,
        steps: definition?.steps,
        messages: messages.get(trip.id) ?? [],
        setAside: work && { ...work, reason: SET_ASIDE_REASONS[work.code] },
        withValues,
      };
      explained.push({ trip, explanation: explain(facts, now) });
    }
    return explained;
  }
}

function messagesByTrip(logs: readonly EmailLog[]): Map<string, TripMessage[]> {
  const originals = new Map(logs.filter(({ origin }) => origin === 'trip').map((log) => [log.id, log]));
  const byTrip = new Map<string, TripMessage[]>();
  for (const log of logs) {
    const first = log.origin === 'trip' ? log : originals.get(log.originId);
    if (!first) continue;
    const {
      id,
      templateSlug,
      status,
      errorCode,
      suppressedReason,
      attempts,
      nextAttemptAt,
      sentAt,
      createdAt,
    } = log;
    const message = {
      id,
      templateSlug,
      status,
      errorCode,
      suppressedReason,
      attempts,
      nextAttemptAt,
      sentAt,
      createdAt,
    };
    byTrip.set(first.originId, [
      ...(byTrip.get(first.originId) ?? []),
      { ...message, stepId: first.originStep, isRepetition: log !== first, heldBy: log.waitsFor },
    ]);
  }
  return byTrip;
}
