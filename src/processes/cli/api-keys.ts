/** Commands that create and revoke API keys. */
import { parseArgs } from 'node:util';
import { OPERATOR_AUTHOR, KEY_SCOPES } from '../../kernel/principal.js';
import { ApiKeyService } from '../../modules/api-keys/application/api-key.service.js';
import { planOf } from '../../modules/limits/domain/plan.js';
import { UsageError } from '../operator-fault.js';
import { type CliContext, environmentNamed } from './command.js';
import { workspaceNamed } from './workspace-named.js';

export async function createKey(args: string[], context: CliContext): Promise<unknown> {
  const { values } = parseArgs({
    args,
    options: {
      workspace: { type: 'string' },
      name: { type: 'string' },
      scope: { type: 'string', default: 'full' },
      environment: { type: 'string', default: 'live' },
      'rate-limit': { type: 'string' },
    },
  });
  const { name, 'rate-limit': rate } = values;
  const scope = KEY_SCOPES.find((known) => known === values.scope);
  const environment = environmentNamed(values.environment);
  if (name === undefined) throw new UsageError('--name is missing.');
  if (!scope) throw new UsageError(`--scope must be one of ${KEY_SCOPES.join(', ')}.`);
  return context.withServices(async (services) => {
    const workspace = await workspaceNamed(values.workspace, services);
    const newKey = { name, scope, environment, rateLimitPerMinute: rate === undefined ? null : Number(rate) };
    const plan = planOf(workspace.plan);
    const { apiKey, raw } = await services
      .get(ApiKeyService)
      .create({ workspaceId: workspace.id }, plan, newKey, OPERATOR_AUTHOR);
    return { id: apiKey.id, workspace_id: workspace.id, name, scope, environment, key: raw };
  });
}

export async function revokeKey(args: string[], context: CliContext): Promise<unknown> {
  const { values } = parseArgs({ args, options: { workspace: { type: 'string' }, id: { type: 'string' } } });
  const { id } = values;
  if (id === undefined) throw new UsageError('--id is missing.');
  return context.withServices(async (services) => {
    const workspace = await workspaceNamed(values.workspace, services);
    const key = await services.get(ApiKeyService).revoke({ workspaceId: workspace.id }, id, OPERATOR_AUTHOR);
    return {
      id: key.id,
      workspace_id: workspace.id,
      name: key.name,
      revoked_at: key.revokedAt?.toISOString(),
    };
  });
}
