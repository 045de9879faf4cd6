/** Draws flows as graphs, with counts of what their trips did at each step. */
import { Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { Database } from '../../../platform/database/database.js';
import { FlowService } from '../../flows/application/flow.service.js';
import {
  flowGraph,
  type DrawnFlow,
  type FlowCountsByStep,
  type FlowGraph,
} from '../../flows/domain/flow-graph.js';
import { flowMermaid } from '../../flows/domain/flow-mermaid.js';
import { flowSvg } from '../../flows/domain/flow-svg.js';
import type { NewFlow } from '../../flows/domain/flow.js';
import { assignStepIds } from '../../flows/domain/step-identity.js';
import { StepCounters } from './step-counters.js';

/** A flow's graph and its counts, also as a picture and as Mermaid text. */
export interface DrawnGraph {
  readonly graph: FlowGraph;
  /** Null for a draft, since no trip can have run through it. */
  readonly counts: FlowCountsByStep | null;
  readonly svg: string;
  readonly mermaid: string;
}

@Injectable()
export class FlowGraphs {
  constructor(
    private readonly database: Database,
    private readonly flows: FlowService,
    private readonly stepCounters: StepCounters,
  ) {}

  /**
   * The current state of a flow, with the counts of its trips in the caller's environment, whichever version they
   * follow.
   * @throws DomainError flow_not_found.
   */
  async ofFlow(scope: TenantScope, flowId: string): Promise<DrawnGraph> {
    const flow = await this.flows.get(scope, flowId);
    const counts = await this.database.listInScope(scope, (tx) =>
      this.stepCounters.ofFlow(tx, scope, flow.id),
    );
    return drawn(flow, counts);
  }

  /** A flow that is not stored yet. */
  ofDraft(draft: NewFlow): DrawnGraph {
    return drawn({ ...draft, steps: assignStepIds(draft.steps) }, null);
  }
}

function drawn(flow: DrawnFlow, counts: FlowCountsByStep | null): DrawnGraph {
  const graph = flowGraph(flow);
  const known: FlowCountsByStep = counts ?? new Map();
  return { graph, counts, svg: flowSvg(flow, known), mermaid: flowMermaid(graph, known) };
}
