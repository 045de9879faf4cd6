/** Which flow to simulate, on which period of the past. */
import { Flag, Moment, Nested, Uuid } from '../../../platform/input/fields.js';
import { Arguments } from '../../../platform/input/input-class.js';
import { CreateFlowInput, newFlowOf } from '../../flows/input/flow.input.js';
import type { SimulationRequest } from '../domain/simulation/simulation-request.js';

@Arguments()
export class SimulateFlowArgs {
  @Uuid({ optional: true, description: 'ID of the flow. Optional if a draft is given.' }) flowId?: string;

  @Nested(CreateFlowInput, {
    optional: true,
    description: 'Simulated instead of the flow’s current definition. Nothing is saved.',
  })
  draft?: CreateFlowInput;

  @Moment({ description: 'Only events accepted from this time on are simulated.' }) from: Date;
  @Moment({ optional: true, description: 'End of the period, exclusive. Defaults to now.' })
  to?: Date;

  @Flag({
    optional: true,
    default: false,
    description: 'Whether to ignore trips before the period, as if the flow were new.',
  })
  fresh?: boolean;
}

/** @throws DomainError as newFlowOf. */
export function simulationRequestOf({ flowId, draft, from, to, fresh }: SimulateFlowArgs): SimulationRequest {
  return {
    flowId: flowId ?? null,
    draft: draft ? newFlowOf(draft, 'graphql') : null,
    from,
    to: to ?? null,
    isFresh: fresh ?? false,
  };
}
