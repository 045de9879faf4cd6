/**
 * Replays the events of a period to a simulation. Events are read page by page, each with the contacts that appear
 * for the first time; the next page loads while the simulation processes the current one.
 */
import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../kernel/domain-error.js';
import type { KnownPerson, PastEvent } from '../domain/simulation/simulated-world.js';
import type { Simulation } from '../domain/simulation/simulation.js';
import { PastRepository } from '../persistence/past.repository.js';
import { PastPeople, type PeopleWanted } from './past-people.js';
import type { SimulationTurn } from './simulation-turns.js';

const MOST_EVENTS = 100_000;
const PAGE = 2_000;

/** Events, with the contacts that no earlier page has named. */
interface Page {
  readonly events: readonly PastEvent[];
  readonly people: readonly KnownPerson[];
  /** The cursor of the next page; null after the last. */
  readonly next: string | null;
}

@Injectable()
export class PastReplay {
  constructor(
    private readonly past: PastRepository,
    private readonly people: PastPeople,
  ) {}

  /**
   * @param wanted the period, and which data about contacts to load.
   * @returns the moment that the simulation has reached: the end of the period, or an earlier moment if time ran out.
   * @throws DomainError simulation_too_large for a period with more events, or larger contacts, than the limits
   * allow.
   */
  async run(simulation: Simulation, wanted: PeopleWanted, turn: SimulationTurn): Promise<Date> {
    const { scope, period } = wanted;
    const count = await this.past.count(scope, period, MOST_EVENTS + 1);
    if (count > MOST_EVENTS)
      throw new DomainError(
        'simulation_too_large',
        `The period contains more than ${MOST_EVENTS} events that affect the flow: choose a shorter period.`,
      );
    const isWhole = await this.hearAll(simulation, wanted, turn);
    const hasEnded = isWhole && (await turn.drive(simulation.finish(period.until)));
    simulation.close();
    return hasEnded ? period.until : simulation.present;
  }

  /** @returns whether all events were processed. */
  private async hearAll(
    simulation: Simulation,
    wanted: PeopleWanted,
    turn: SimulationTurn,
  ): Promise<boolean> {
    let page = await this.read(simulation, wanted, null);
    for (;;) {
      for (const person of page.people) simulation.know(person);
      const next = page.next === null ? undefined : this.read(simulation, wanted, page.next);
      // An error surfaces where this is awaited below; otherwise the page is no longer needed.
      next?.catch(() => undefined);
      if (!(await turn.drive(simulation.hear(page.events)))) {
        await next?.catch(() => undefined);
        return false;
      }
      if (!next) return true;
      page = await next;
    }
  }

  private async read(simulation: Simulation, wanted: PeopleWanted, after: string | null): Promise<Page> {
    const { events, more } = await this.past.page(wanted.scope, wanted.period, after, PAGE);
    const strangers = events.filter(({ externalId }) => !simulation.isKnown(externalId));
    const people = await this.people.introduce(wanted, strangers);
    return { events, people, next: more ? (events.at(-1)?.id ?? after) : null };
  }
}
