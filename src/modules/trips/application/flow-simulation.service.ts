/** Simulates a flow on past events, without any effect. */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { DomainError, invalidFields } from '../../../kernel/domain-error.js';
import { DAY } from '../../../kernel/duration.js';
import type { ContentType } from '../../../kernel/email-settings.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { uuidv7 } from '../../../kernel/uuid.js';
import { isTimeout } from '../../../platform/database/database.js';
import { SendSimulations } from '../../delivery/application/send-simulations.js';
import { FlowService } from '../../flows/application/flow.service.js';
import { GoalService } from '../../flows/application/goal.service.js';
import { assertFlowSize } from '../../flows/domain/flow-bounds.js';
import type { Flow } from '../../flows/domain/flow.js';
import { assignStepIds } from '../../flows/domain/step-identity.js';
import { templateSlugs } from '../../flows/domain/template-problems.js';
import { throttleOf } from '../domain/throttle-of.js';
import { flowNeeds } from '../domain/simulation/flow-needs.js';
import type { SimulationRequest } from '../domain/simulation/simulation-request.js';
import type { SimulatedFlow } from '../domain/simulation/simulation-model.js';
import { approximationsOf, reportOf, type SimulationReport } from '../domain/simulation/simulation-report.js';
import { Simulation, type TripIdOf } from '../domain/simulation/simulation.js';
import { PastReplay } from './past-replay.js';
import { SimulationSample, type SampledEmail } from './simulation-sample.js';
import {
  SimulationScheduler,
  type SimulationTimeLimits,
  type SimulationTimeSlicer,
} from './simulation-scheduler.js';

export interface FlowSimulation extends Omit<SimulationReport, 'sampled'> {
  readonly flowId: string | null;
  readonly flowVersion: number | null;
  readonly flowName: string;
  readonly sample: readonly SampledEmail[];
}

/** How and for whom a flow is simulated. */
export interface SimulationOptions {
  /** Whether the sample shows addresses in full. If not, they are masked. */
  readonly showsPeople: boolean;
  readonly time: SimulationTimeLimits;
  /** Names the trips. By default, the events that start them name them. */
  readonly naming?: TripIdOf;
}

const MAX_PERIOD_DAYS = 93;

/** A flow to simulate, with what a report states about it. */
interface SimulationSubject {
  readonly flow: SimulatedFlow;
  readonly contentType: ContentType;
  readonly name: string;
  readonly stored: Flow | null;
}

interface SimulatedPeriod {
  readonly from: Date;
  readonly to: Date;
}

@Injectable()
export class FlowSimulationService {
  constructor(
    private readonly flows: FlowService,
    private readonly goals: GoalService,
    private readonly scheduler: SimulationScheduler,
    private readonly replay: PastReplay,
    private readonly samples: SimulationSample,
    private readonly rehearsals: SendSimulations,
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
    request: SimulationRequest,
    options: SimulationOptions,
  ): Promise<FlowSimulation> {
    const period = periodOf(request, this.clock.now());
    return this.scheduler.run(scope.workspaceId, options.time, async (slicer) => {
      try {
        return await this.run(scope, request, period, options, slicer);
      } catch (error) {
        if (!isTimeout(error)) throw error;
        throw new DomainError(
          'simulation_too_large',
          'The period contains too much data: choose a shorter period.',
        );
      }
    });
  }

  private async run(
    scope: TenantScope,
    request: SimulationRequest,
    { from, to }: SimulatedPeriod,
    { showsPeople, naming }: SimulationOptions,
    slicer: SimulationTimeSlicer,
  ): Promise<FlowSimulation> {
    const { flow, contentType, name, stored } = await this.subjectOf(scope, request);
    const needs = flowNeeds(flow);
    const slugs = templateSlugs(flow.steps);
    const inputs = await this.rehearsals.inputs(scope, contentType, slugs, throttleOf(flow.settings));
    const simulation = new Simulation(flow, needs, inputs, naming);
    const earlierTripsFlowId = request.isFresh ? null : (stored?.id ?? null);
    const period = {
      from,
      until: to,
      eventNames: [...needs.eventNames],
      attributeEventNames: [...needs.attributeEventNames],
    };
    const until = await this.replay.run(
      simulation,
      { scope, period, needs, earlierTripsFlowId, bytes: 0 },
      slicer,
    );
    const approximations = approximationsOf({
      needs,
      sends: slugs.length > 0,
      isCapped: inputs.workspace.settings.frequencyCap !== undefined,
      countsEarlierTrips: earlierTripsFlowId !== null,
    });
    const { sampled, ...report } = reportOf(simulation, { from, to, until }, approximations);
    return {
      ...report,
      flowId: stored?.id ?? null,
      flowVersion: request.draft ? null : (stored?.version ?? null),
      flowName: name,
      sample: await this.samples.render(scope, sampled, {
        triggerEvent: flow.triggerEvent,
        contentType,
        hasFullContacts: needs.readsContact,
        showsPeople,
      }),
    };
  }

  private async subjectOf(
    scope: TenantScope,
    { flowId, draft }: SimulationRequest,
  ): Promise<SimulationSubject> {
    const stored = flowId === null ? null : await this.flows.get(scope, flowId);
    const goals = flowId === null ? [] : await this.goals.list(scope, flowId);
    if (draft) assertFlowSize(draft);
    const shown = draft ?? stored;
    if (!shown) throw invalidFields([{ field: 'flowId', message: 'is required if no draft is given' }]);
    const steps = draft ? assignStepIds(draft.steps, stored?.steps) : (stored?.steps ?? []);
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

function periodOf({ from, to: requestedTo }: SimulationRequest, now: Date): SimulatedPeriod {
  const to = requestedTo ?? now;
  if (to > now) throw invalidFields([{ field: 'to', message: 'must not be in the future' }]);
  if (from >= to) throw invalidFields([{ field: 'from', message: 'must be before the end of the period' }]);
  if (to.getTime() - from.getTime() > MAX_PERIOD_DAYS * DAY)
    throw invalidFields([
      { field: 'from', message: `must be at most ${MAX_PERIOD_DAYS} days before the end` },
    ]);
  return { from, to };
}
