/**
 * Replays the events of a period to a simulation. Events are read page by page, each with the contacts that appear
 * for the first time; the next page loads while the simulation processes the current one.
 */
import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../kernel/domain-error.js';
import type { InitialContactState, PastEvent } from '../domain/simulation/simulation-model.js';
import type { Simulation } from '../domain/simulation/simulation.js';
import { PastRepository } from '../persistence/past.repository.js';
import { SimulationContacts, type ContactsRequest } from './simulation-contacts.js';
import type { SimulationTimeSlicer } from './simulation-scheduler.js';

const MAX_EVENTS = 100_000;
const PAGE_SIZE = 2_000;

/** Events, with the contacts that no earlier page has named. */
interface Page {
  readonly events: readonly PastEvent[];
  readonly contacts: readonly InitialContactState[];
  /** The cursor of the next page; null after the last. */
  readonly next: string | null;
}

@Injectable()
export class PastReplay {
  constructor(
    private readonly past: PastRepository,
    private readonly contacts: SimulationContacts,
  ) {}

  /**
   * @param request the period, and which data about contacts to load.
   * @returns the moment that the simulation has reached: the end of the period, or an earlier moment if time ran out.
   * @throws DomainError simulation_too_large for a period with more events, or larger contacts, than the limits
   * allow.
   */
  async run(simulation: Simulation, request: ContactsRequest, slicer: SimulationTimeSlicer): Promise<Date> {
    const { scope, period } = request;
    const count = await this.past.count(scope, period, MAX_EVENTS + 1);
    if (count > MAX_EVENTS)
      throw new DomainError(
        'simulation_too_large',
        `The period contains more than ${MAX_EVENTS} events that affect the flow: choose a shorter period.`,
      );
    const isComplete = await this.replayAll(simulation, request, slicer);
    const hasEnded = isComplete && (await slicer.runSlices(simulation.finish(period.until)));
    simulation.close();
    return hasEnded ? period.until : simulation.currentTime;
  }

  /** @returns whether all events were processed. */
  private async replayAll(
    simulation: Simulation,
    request: ContactsRequest,
    slicer: SimulationTimeSlicer,
  ): Promise<boolean> {
    let page = await this.read(simulation, request, null);
    for (;;) {
      for (const contact of page.contacts) simulation.addContact(contact);
      const next = page.next === null ? undefined : this.read(simulation, request, page.next);
      // An error surfaces where this is awaited below; otherwise the page is no longer needed.
      next?.catch(() => undefined);
      if (!(await slicer.runSlices(simulation.processEvents(page.events)))) {
        await next?.catch(() => undefined);
        return false;
      }
      if (!next) return true;
      page = await next;
    }
  }

  private async read(simulation: Simulation, request: ContactsRequest, after: string | null): Promise<Page> {
    const { events, hasMore } = await this.past.page(request.scope, request.period, after, PAGE_SIZE);
    const eventsOfNewContacts = events.filter(({ externalId }) => !simulation.hasContact(externalId));
    const contacts = await this.contacts.load(request, eventsOfNewContacts);
    return { events, contacts, next: hasMore ? (events.at(-1)?.id ?? after) : null };
  }
}
