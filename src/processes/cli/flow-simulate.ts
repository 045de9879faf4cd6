/** `cli flow:simulate`: simulates a flow with the events of a past period. */
import { parseArgs } from 'node:util';
import { Clock } from '../../kernel/clock.js';
import { readDateRange } from '../../kernel/date-range.js';
import {
  FlowSimulationService,
  type FlowSimulation,
} from '../../modules/trips/application/flow-simulation.service.js';
import { NO_TIME_LIMITS } from '../../modules/trips/application/simulation-scheduler.js';
import { APPROXIMATIONS } from '../../modules/trips/domain/simulation/simulation-report.js';
import { UsageError } from '../operator-fault.js';
import { type CliContext, environmentNamed } from './command.js';
import { workspaceNamed } from './workspace-named.js';
import { snakeKeysDeep } from './snake-keys-deep.js';

export async function simulateFlow(args: string[], context: CliContext): Promise<unknown> {
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
  return context.withServices(async (services) => {
    const workspace = await workspaceNamed(values.workspace, services);
    const scope = { workspaceId: workspace.id, environment };
    const now = services.get(Clock).now();
    const { from, to } = readDateRange({ fromDate, toDate }, now);
    // The range includes its last moment.
    const until = to < now ? new Date(to.getTime() + 1) : now;
    const request = { flowId, draft: null, from, to: until, isFresh };
    const options = { showsPeople: true, time: NO_TIME_LIMITS };
    return toOutput(await services.get(FlowSimulationService).simulate(scope, request, options));
  });
}

/** Converts the simulation to REST names and adds the meaning of its codes. */
function toOutput(simulation: FlowSimulation): unknown {
  const { flowId, flowVersion, flowName, approximations, ...results } = simulation;
  const explained = approximations.map((code) => ({ code, description: APPROXIMATIONS[code] }));
  return snakeKeysDeep({ flowId, flowVersion, flowName, ...results, approximations: explained });
}
