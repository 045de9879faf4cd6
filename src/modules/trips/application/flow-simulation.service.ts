/** Simulates a flow on past events, without any effect. */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { DomainError, invalidFields } from '../../../kernel/domain-error.js';
import { DAY } from '../../../kernel/duration.js';
import type { ContentType } from '../../../kernel/email-settings.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { uuidv7 } from '../../../kernel/uuid.js';
import { isOutOfTime } from '../../../platform/database/database.js';
import { SendRehearsals } from '../../delivery/application/send-rehearsals.js';
import { FlowService } from '../../flows/application/flow.service.js';
import { GoalService } from '../../flows/application/goal.service.js';
import { assertFlowSize } from '../../flows/domain/flow-bounds.js';
import type { Flow } from '../../flows/domain/flow.js';
import { identified } from '../../flows/domain/step-identity.js';
import { templateSlugs } from '../../flows/domain/template-problems.js';
import { throttleOf } from '../domain/throttle-of.js';
import { flowNeeds } from '../domain/simulation/flow-needs.js';
import type { SimulationWish } from '../domain/simulation/simulation-wish.js';
import type { SimulatedFlow } from '../domain/simulation/simulated-world.js';
import { approximationsOf, reportOf, type SimulationReport } from '../domain/simulation/simulation-report.js';
import { Simulation, type TripNaming } from '../domain/simulation/simulation.js';
import { PastReplay } from './past-replay.js';
import { SimulationSample, type SampledEmail } from './simulation-sample.js';
import { SimulationTurns, type SimulationTime, type SimulationTurn } from './simulation-turns.js';

export interface FlowSimulation extends Omit<SimulationReport, 'sampled'> {
  readonly flowId: string | null;
  readonly flowVersion: number | null;
  readonly flowName: string;
  readonly sample: readonly SampledEmail[];
}

/** How and for whom a flow is simulated. */
export interface SimulationManner {
  /** Whether the sample shows addresses in full. If not, they are masked. */
  readonly showsPeople: boolean;
  readonly time: SimulationTime;
  /** Names the trips. By default, the events that start them name them. */
  readonly naming?: TripNaming;
}

const LONGEST_PERIOD = 93;

/** A flow to simulate, with what a report states about it. */
interface Subject {
  readonly flow: SimulatedFlow;
  readonly contentType: ContentType;
  readonly name: string;
  readonly stored: Flow | null;
}

interface Period {
  readonly from: Date;
  readonly to: Date;
}

@Injectable()
export class FlowSimulationService {
  constructor(
    private readonly flows: FlowService,
    private readonly goals: GoalService,
    private readonly turns: SimulationTurns,
    private readonly replay: PastReplay,
    private readonly samples: SimulationSample,
    private readonly rehearsals: SendRehearsals,
    private readonly clock: Clock,
  ) {}

  /**
   * What the flow would have done in the period, or in the first part of it if time runs out.
   * @throws DomainError flow_not_found; invalid_field for an invalid period; simulation_too_large for a period with
   * too much data; rate_limit_exceeded with retry_after if too many simulations run and this one does not start in
   * time.
   */
  async simulate(
    scope: TenantScope,
    wish: SimulationWish,
    manner: SimulationManner,
  ): Promise<FlowSimulation> {
    const period = periodOf(wish, this.clock.now());
    return this.turns.take(scope.workspaceId, manner.time, async (turn) => {
      try {
        return await this.run(scope, wish, period, manner, turn);
      } catch (error) {
        if (!isOutOfTime(error)) throw error;
        throw new DomainError(
          'simulation_too_large',
          'The period contains too much data: choose a shorter period.',
        );
      }
    });
  }

  private async run(
    scope: TenantScope,
    wish: SimulationWish,
    { from, to }: Period,
    { showsPeople, naming }: SimulationManner,
    turn: SimulationTurn,
  ): Promise<FlowSimulation> {
    const { flow, contentType, name, stored } = await this.subjectOf(scope, wish);
    const needs = flowNeeds(flow);
    const slugs = templateSlugs(flow.steps);
    const facts = await this.rehearsals.facts(scope, contentType, slugs, throttleOf(flow.settings));
    const simulation = new Simulation(flow, needs, facts, naming);
    const historyOf = wish.isFresh ? null : (stored?.id ?? null);
    const period = {
      from,
      until: to,
      eventNames: [...needs.eventNames],
      attributesOf: [...needs.attributesOf],
    };
    const until = await this.replay.run(simulation, { scope, period, needs, historyOf, bytes: 0 }, turn);
    const approximations = approximationsOf({
      needs,
      sends: slugs.length > 0,
      isCapped: facts.workspace.settings.frequencyCap !== undefined,
      countsEarlierTrips: historyOf !== null,
    });
    const { sampled, ...figures } = reportOf(simulation, { from, to, until }, approximations);
    return {
      ...figures,
      flowId: stored?.id ?? null,
      flowVersion: wish.draft ? null : (stored?.version ?? null),
      flowName: name,
      sample: await this.samples.render(scope, sampled, {
        triggerEvent: flow.triggerEvent,
        contentType,
        areWhole: needs.asksContact,
        showsPeople,
      }),
    };
  }

  private async subjectOf(scope: TenantScope, { flowId, draft }: SimulationWish): Promise<Subject> {
    const stored = flowId === null ? null : await this.flows.get(scope, flowId);
    const goals = flowId === null ? [] : await this.goals.list(scope, flowId);
    if (draft) assertFlowSize(draft);
    const shown = draft ?? stored;
    if (!shown) throw invalidFields([{ field: 'flowId', message: 'is required if no draft is given' }]);
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
}

function periodOf({ from, to: asked }: SimulationWish, now: Date): Period {
  const to = asked ?? now;
  if (to > now) throw invalidFields([{ field: 'to', message: 'must not be in the future' }]);
  if (from >= to) throw invalidFields([{ field: 'from', message: 'must be before the end of the period' }]);
  if (to.getTime() - from.getTime() > LONGEST_PERIOD * DAY)
    throw invalidFields([
      { field: 'from', message: `must be at most ${LONGEST_PERIOD} days before the end` },
    ]);
  return { from, to };
}
