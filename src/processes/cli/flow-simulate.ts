/** `cli flow:simulate`: simulates a flow with the events of a past period. */
import { parseArgs } from 'node:util';
import { Clock } from '../../kernel/clock.js';
import { readDateRange } from '../../kernel/date-range.js';
import {
  FlowSimulationService,
  type FlowSimulation,
} from '../../modules/trips/application/flow-simulation.service.js';
import { NO_END } from '../../modules/trips/application/simulation-turns.js';
import { APPROXIMATIONS } from '../../modules/trips/domain/simulation/simulation-report.js';
import { UsageError } from '../operator-fault.js';
import { type CliWorld, environmentNamed } from './command.js';
import { workspaceNamed } from './workspace-named.js';
import { writtenOut } from './written-out.js';

export async function simulateFlow(args: string[], world: CliWorld): Promise<unknown> {
  const { values } = parseArgs({
    args,
    options: {
      workspace: { type: 'string' },
      flow: { type: 'string' },
      from: { type: 'string' },
      to: { type: 'string' },
      fresh: { type: 'boolean', default: false },
      environment: { type: 'string', default: 'live' },
    },
  });
  const { flow: flowId, from: fromDate, to: toDate, fresh: isFresh } = values;
  const environment = environmentNamed(values.environment);
  if (flowId === undefined) throw new UsageError('--flow is missing.');
  return world.withServices(async (services) => {
    const workspace = await workspaceNamed(values.workspace, services);
    const scope = { workspaceId: workspace.id, environment };
    const now = services.get(Clock).now();
    const { from, to } = readDateRange({ fromDate, toDate }, now);
    // The range includes its last moment.
    const until = to < now ? new Date(to.getTime() + 1) : now;
    const wish = { flowId, draft: null, from, to: until, isFresh };
    const manner = { showsPeople: true, time: NO_END };
    return written(await services.get(FlowSimulationService).simulate(scope, wish, manner));
  });
}

/** Converts the simulation to REST names and adds the meaning of its codes. */
function written(simulation: FlowSimulation): unknown {
  const { flowId, flowVersion, flowName, approximations, ...figures } = simulation;
  const explained = approximations.map((code) => ({ code, description: APPROXIMATIONS[code] }));
  return writtenOut({ flowId, flowVersion, flowName, ...figures, approximations: explained });
}
