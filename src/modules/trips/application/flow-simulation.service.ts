/**
 * Tries a flow upon what really happened, without any effect. Events are read page by page as the simulation comes to them,
 * its work is done in slices that nobody else on the thread notices, and a workspace has one simulation at a time.
 */
import { Injectable } from '@nestjs/common';
import { setImmediate } from 'node:timers/promises';
import { Clock } from '../../../kernel/clock.js';
import { DomainError, invalidFields } from '../../../kernel/domain-error.js';
import { DAY } from '../../../kernel/duration.js';
import type { ContentType } from '../../../kernel/email-settings.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { uuidv7 } from '../../../kernel/uuid.js';
import { assertAwaited } from '../../../platform/database/caller-signal.js';
import { isOutOfTime } from '../../../platform/database/database.js';
import { Shares } from '../../../platform/database/shares.js';
import { maskerFor } from '../../contacts/domain/masking.js';
import { SendRehearsals, type ShownEmail } from '../../delivery/application/send-rehearsals.js';
import { FlowService } from '../../flows/application/flow.service.js';
import { GoalService } from '../../flows/application/goal.service.js';
import { assertFlowSize } from '../../flows/domain/flow-bounds.js';
import type { Flow } from '../../flows/domain/flow.js';
import { identified } from '../../flows/domain/step-identity.js';
import { templateSlugs } from '../../flows/domain/template-problems.js';
import { throttleOf } from '../domain/throttle-of.js';
import { flowNeeds } from '../domain/simulation/flow-needs.js';
import type { SimulationWish } from '../domain/simulation/simulation-wish.js';
import type { SampledSend } from '../domain/simulation/sample-choice.js';
import type { SimulatedFlow } from '../domain/simulation/simulated-world.js';
import { approximationsOf, reportOf, type SimulationReport } from '../domain/simulation/simulation-report.js';
import { Simulation, type TripNaming } from '../domain/simulation/simulation.js';
import { PastRepository, type PastPeriod } from '../persistence/past.repository.js';
import { PastPeople, type PeopleWanted } from './past-people.js';

export interface SampledEmail extends ShownEmail {
  readonly stepId: number;
  readonly path: string;
  readonly at: Date;
  readonly externalId: string;
  readonly to: string | null;
}

export interface FlowSimulation extends Omit<SimulationReport, 'sampled'> {
  readonly flowId: string | null;
  readonly flowVersion: number | null;
  readonly flowName: string;
  readonly sample: readonly SampledEmail[];
}

const MOST_EVENTS = 100_000;
const LONGEST_PERIOD = 93;
const PAGE = 2_000;
/** Milliseconds of the thread that nobody notices. */
const SLICE = 8;
/** Simulations at a time: each takes a processor for seconds. */
const AT_A_TIME = { most: 2, mostOfOne: 1 } as const;
const RETRY_AFTER = 10;

/** A flow to simulate, with what a report says of it. */
interface Subject {
  readonly flow: SimulatedFlow;
  readonly contentType: ContentType;
  readonly name: string;
  readonly stored: Flow | null;
}

@Injectable()
export class FlowSimulationService {
  private readonly running = new Shares(AT_A_TIME);

  constructor(
    private readonly flows: FlowService,
    private readonly goals: GoalService,
    private readonly past: PastRepository,
    private readonly people: PastPeople,
    private readonly rehearsals: SendRehearsals,
    private readonly clock: Clock,
  ) {}

  /**
   * What the flow would have done in the period.
   * @param showsPeople whether addresses are shown as they are in the sample, or masked.
   * @param naming names the trips; ids that follow from flow and events by default.
   * @throws DomainError flow_not_found; invalid_field for a period that is none; simulation_too_large for one that holds
   *   too much; rate_limit_exceeded with retry_after while another simulation of the workspace runs.
   */
  async simulate(
    scope: TenantScope,
    wish: SimulationWish,
    showsPeople: boolean,
    naming?: TripNaming,
  ): Promise<FlowSimulation> {
    const period = periodOf(wish, this.clock.now());
    const end = this.running.take(scope.workspaceId);
    if (!end)
      throw new DomainError(
        'rate_limit_exceeded',
        'Another simulation is running: try again when it has ended.',
        {
          retry_after: RETRY_AFTER,
        },
      );
    try {
      const subject = await this.subjectOf(scope, wish);
      return await this.run(scope, { subject, wish, period, naming, showsPeople });
    } catch (error) {
      throw isOutOfTime(error) ? tooLarge('The period holds too much to be read through') : error;
    } finally {
      end();
    }
  }

  private async run(
    scope: TenantScope,
    {
      subject,
      wish,
      period,
      naming,
      showsPeople,
    }: {
      readonly subject: Subject;
      readonly wish: SimulationWish;
      readonly period: { readonly from: Date; readonly until: Date };
      readonly naming: TripNaming | undefined;
      readonly showsPeople: boolean;
    },
  ): Promise<FlowSimulation> {
    const { flow, contentType, name, stored } = subject;
    const needs = flowNeeds(flow);
    const slugs = templateSlugs(flow.steps);
    const facts = await this.rehearsals.facts(scope, contentType, slugs, throttleOf(flow.settings));
    const simulation = new Simulation(flow, needs, facts, naming);
    const historyOf = wish.isFresh ? null : (stored?.id ?? null);
    const read: PastPeriod = {
      ...period,
      eventNames: [...needs.eventNames],
      attributesOf: [...needs.attributesOf],
    };
    await this.replay(simulation, read, { scope, period: read, needs, historyOf, bytes: 0 });
    const report = reportOf(
      simulation,
      period,
      approximationsOf({
        needs,
        sends: slugs.length > 0,
        isCapped: facts.workspace.settings.frequencyCap !== undefined,
        countsEarlierTrips: historyOf !== null,
      }),
    );
    const { sampled, ...figures } = report;
    return {
      ...figures,
      flowId: stored?.id ?? null,
      flowVersion: wish.draft ? null : (stored?.version ?? null),
      flowName: name,
      sample: await this.sample(scope, sampled, subject, needs.asksContact, showsPeople),
    };
  }

  private async replay(simulation: Simulation, period: PastPeriod, wanted: PeopleWanted): Promise<void> {
    const { scope } = wanted;
    const count = await this.past.count(scope, period, MOST_EVENTS + 1);
    if (count > MOST_EVENTS)
      throw tooLarge(`The period holds more than ${MOST_EVENTS} events that mean anything to the flow`);
    const slices = new Slices();
    for (let after: string | null = null; ;) {
      const { events, more } = await this.past.page(scope, period, after, PAGE);
      const strangers = events.filter(({ externalId }) => !simulation.isKnown(externalId));
      for (const person of await this.people.introduce(wanted, strangers)) simulation.know(person);
      for (const event of events) await slices.take(simulation.hear(event));
      after = events.at(-1)?.id ?? after;
      if (!more) break;
    }
    await slices.take(simulation.finish(period.until));
  }

  private async subjectOf(scope: TenantScope, { flowId, draft }: SimulationWish): Promise<Subject> {
    const stored = flowId === null ? null : await this.flows.get(scope, flowId);
    const goals = flowId === null ? [] : await this.goals.list(scope, flowId);
    if (draft) assertFlowSize(draft);
    const shown = draft ?? stored;
    if (!shown) throw invalidFields([{ field: 'flowId', message: 'is required where there is no draft' }]);
    const steps = draft ? identified(draft.steps, stored?.steps) : (stored?.steps ?? []);
    const { triggerEvent, triggerConditions, segmentId, settings, contentType, name } = shown;
    return {
      flow: {
        id: stored?.id ?? uuidv7(this.clock.now().getTime()),
        version: stored?.version ?? 1,
        triggerEvent,
        triggerConditions,
        segmentId,
        settings,
        steps,
        goals,
      },
      contentType,
      name,
      stored,
    };
  }

  /** The emails that are shown, rendered as the product renders them. */
  private async sample(
    scope: TenantScope,
    sampled: SimulationReport['sampled'],
    { contentType, flow }: Subject,
    isWhole: boolean,
    showsPeople: boolean,
  ): Promise<SampledEmail[]> {
    if (sampled.length === 0) return [];
    const triggers = await this.past.attributes(
      scope,
      sampled.map(({ triggerEventId }) => triggerEventId),
    );
    const whole = isWhole
      ? []
      : await this.past.contacts(
          scope,
          sampled.map(({ contact }) => contact.externalId),
          true,
        );
    const today = new Map(whole.map(({ contact }) => [contact.id, contact]));
    const emails: SampledEmail[] = [];
    for (const { stepId, path, at, triggerEventId, templateSlug, options, contact: lean } of sampled) {
      const contact = completed(lean, today.get(lean.id));
      const attributes = triggers.get(triggerEventId);
      const triggerEvent = attributes ? { eventName: flow.triggerEvent, attributes } : null;
      const message = { contact, contentType, templateSlug, options, triggerEvent };
      const { externalId, email: to, phone } = contact;
      const shown = { stepId, path, at, externalId, to, ...(await this.rehearsals.show(scope, message, at)) };
      emails.push(showsPeople ? shown : maskerFor(phone)(shown));
    }
    return emails;
  }
}

/** Lets others have the thread between slices of a simulation, and ends it when nobody waits for it any more. */
class Slices {
  private begun = performance.now();

  async take(work: Generator<void>): Promise<void> {
    for (const _ of work) {
      if (performance.now() - this.begun <= SLICE) continue;
      await setImmediate();
      assertAwaited();
      this.begun = performance.now();
    }
  }
}

/** What was simulated without properties and tags, with those of today beneath what the simulation has set. */
function completed(
  lean: SampledSend['contact'],
  today: SampledSend['contact'] | undefined,
): SampledSend['contact'] {
  if (!today) return lean;
  const tags = lean.tags.length > 0 ? lean.tags : today.tags;
  return { ...lean, properties: { ...today.properties, ...lean.properties }, tags };
}

function periodOf({ from, until }: SimulationWish, now: Date): { readonly from: Date; readonly until: Date } {
  const end = until ?? now;
  if (end > now) throw invalidFields([{ field: 'to', message: 'must not be in the future' }]);
  if (from >= end) throw invalidFields([{ field: 'from', message: 'must be before the end of the period' }]);
  if (end.getTime() - from.getTime() > LONGEST_PERIOD * DAY)
    throw invalidFields([
      { field: 'from', message: `must be at most ${LONGEST_PERIOD} days before the end` },
    ]);
  return { from, until: end };
}

function tooLarge(what: string): DomainError {
  return new DomainError('simulation_too_large', `${what}: choose a shorter period.`);
}
