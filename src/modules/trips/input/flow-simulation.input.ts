/** Which flow is tried upon which past. */
import { Flag, Moment, Nested, Uuid } from '../../../platform/input/fields.js';
import { Arguments } from '../../../platform/input/input-class.js';
import { CreateFlowInput, newFlowOf } from '../../flows/input/flow.input.js';
import type { SimulationWish } from '../domain/simulation/simulation-wish.js';

@Arguments()
export class SimulateFlowArgs {
  @Uuid({ optional: true, description: 'The flow; optional where there is a draft.' }) flowId?: string;

  @Nested(CreateFlowInput, {
    optional: true,
    description: 'What is tried in place of the flow as it stands. Nothing of it is saved.',
  })
  draft?: CreateFlowInput;

  @Moment({ description: 'Events that were accepted from here on are taken.' }) from: Date;
  @Moment({ optional: true, description: 'The first moment that is not looked at; now by default.' })
  to?: Date;

  @Flag({
    optional: true,
    default: false,
    description: 'Whether trips before the period are left aside, as though the flow were new.',
  })
  fresh?: boolean;
}

/** @throws DomainError as newFlowOf. */
export function simulationWishOf({ flowId, draft, from, to, fresh }: SimulateFlowArgs): SimulationWish {
  return {
    flowId: flowId ?? null,
    draft: draft ? newFlowOf(draft, 'graphql') : null,
    from,
    to: to ?? null,
    isFresh: fresh ?? false,
  };
}
