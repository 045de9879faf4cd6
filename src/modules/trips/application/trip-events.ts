/**
 * Applies accepted events to trips in the order of their arrival. An event first converts existing trips and then
 * starts new ones, so it never converts a trip that it has started itself. Sections 2.5 and 6.3.
 */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import type { Transaction } from '../../../platform/database/database.js';
import { AcceptedEventsListener } from '../../events/application/accepted-events.listener.js';
import { hasContact, type AcceptedEvent } from '../../events/domain/accepted-event.js';
import { FlowCatalogue } from '../../flows/application/flow-catalogue.js';
import { GoalsOfFlow } from '../../flows/application/goals-of-flow.js';
import { layersOf } from '../domain/event-layers.js';
import { Conversions } from './conversions.js';
import { TripStarter } from './trip-starter.js';

@Injectable()
export class TripEvents extends AcceptedEventsListener {
  constructor(
    private readonly flows: FlowCatalogue,
    private readonly goals: GoalsOfFlow,
    private readonly conversions: Conversions,
    private readonly starter: TripStarter,
  ) {
    super();
  }

  override async handle(
    tx: Transaction,
    scope: TenantScope,
    accepted: readonly AcceptedEvent[],
    now: Date,
  ): Promise<void> {
    const events = accepted.filter(hasContact);
    const names = [...new Set(events.map(({ name }) => name))];
    const goals = await this.goals.ofEvents(tx, scope, names);
    const flows = await this.flows.listening(tx, scope, names);
    if (goals.length === 0) return this.starter.start(tx, scope, events, flows, now);
    const triggers = flows.map(({ triggerEvent }) => triggerEvent);
    const goalEventNames = goals.map(({ eventName }) => eventName);
    for (const layer of layersOf(events, new Set(triggers), new Set(goalEventNames))) {
      await this.conversions.record(tx, scope, layer, goals, now);
      await this.starter.start(tx, scope, layer, flows, now);
    }
  }
}
