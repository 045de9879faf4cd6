/** `cli rollups:rebuild`: compares the rollups that reports read with their source rows, and corrects them. */
import { parseArgs } from 'node:util';
import { ENVIRONMENTS } from '../../kernel/tenant-scope.js';
import { Rollups } from '../../modules/metrics/application/rollups.js';
import { type CliContext, environmentNamed } from './command.js';
import { workspaceNamed } from './workspace-named.js';

export async function rebuildRollups(args: string[], context: CliContext): Promise<unknown> {
  const { values } = parseArgs({
    args,
    options: { workspace: { type: 'string' }, environment: { type: 'string' } },
  });
  const environments =
    values.environment === undefined ? ENVIRONMENTS : [environmentNamed(values.environment)];
  return context.withServices(async (services) => {
    const { id: workspaceId } = await workspaceNamed(values.workspace, services);
    const corrected: Record<string, unknown> = {};
    for (const environment of environments)
      corrected[environment] = await services.get(Rollups).rebuild({ workspaceId, environment });
    return { workspace_id: workspaceId, corrected };
  });
}
