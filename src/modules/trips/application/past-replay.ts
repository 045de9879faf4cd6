/**
 * Has a simulation hear what happened in a period: events are read page by page, the next while it works on the one before,
 * each with the people whom it is the first to name.
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

/** Events with the people whom nobody has named before. */
interface Page {
  readonly events: readonly PastEvent[];
  readonly people: readonly KnownPerson[];
  /** Where the next begins; null behind the last. */
  readonly next: string | null;
}

@Injectable()
export class PastReplay {
  constructor(
    private readonly past: PastRepository,
    private readonly people: PastPeople,
  ) {}

  /**
   * @param wanted of which period, and what of people.
   * @returns up to when the simulation has come: the end of the period, or an earlier moment where its time was over.
   * @throws DomainError simulation_too_large for a period of more events, or of larger people, than there is room for.
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

  /** @returns whether all of it was heard. */
  private async hearAll(
    simulation: Simulation,
    wanted: PeopleWanted,
    turn: SimulationTurn,
  ): Promise<boolean> {
    let page = await this.read(simulation, wanted, null);
    for (;;) {
      for (const person of page.people) simulation.know(person);
      const next = page.next === null ? undefined : this.read(simulation, wanted, page.next);
      // It is waited for below, and fails there; or nobody needs it any more.
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
