/** Commands that explain why a trip is in its state, and why a contact did not enter a flow or got no mail. */
import { parseArgs } from 'node:util';
import { SilenceExplanations } from '../../modules/trips/application/silence-explanations.js';
import { TripExplanations } from '../../modules/trips/application/trip-explanations.js';
import { UsageError } from '../operator-fault.js';
import { type CliContext, environmentNamed } from './command.js';
import { workspaceNamed } from './workspace-named.js';
import { snakeKeysDeep } from './snake-keys-deep.js';

export async function explainTrip(args: string[], context: CliContext): Promise<unknown> {
  const { values } = parseArgs({
    args,
    options: {
      workspace: { type: 'string' },
      trip: { type: 'string' },
      environment: { type: 'string', default: 'live' },
    },
  });
  const environment = environmentNamed(values.environment);
  const { trip: id } = values;
  if (id === undefined) throw new UsageError('--trip is missing.');
  return context.withServices(async (services) => {
    const workspace = await workspaceNamed(values.workspace, services);
    const scope = { workspaceId: workspace.id, environment };
    const explained = await services.get(TripExplanations).ofTrip(scope, id, true);
    if (!explained) throw new UsageError(`No trip has the ID ${id}.`);
    const { history: _trail, ...trip } = explained.trip;
    return snakeKeysDeep({ ...trip, ...explained.explanation });
  });
}

export async function explainContact(args: string[], context: CliContext): Promise<unknown> {
  const { values } = parseArgs({
    args,
    options: {
      workspace: { type: 'string' },
      contact: { type: 'string' },
      flow: { type: 'string' },
      environment: { type: 'string', default: 'live' },
    },
  });
  const environment = environmentNamed(values.environment);
  const { contact: externalId, flow } = values;
  if (externalId === undefined) throw new UsageError('--contact is missing.');
  if (flow === undefined) throw new UsageError('--flow is missing.');
  return context.withServices(async (services) => {
    const workspace = await workspaceNamed(values.workspace, services);
    const scope = { workspaceId: workspace.id, environment };
    return snakeKeysDeep(await services.get(SilenceExplanations).of(scope, { externalId }, flow, true));
  });
}
