/** Commands that import and export lists of suppressed addresses. */
import { parseArgs } from 'node:util';
import type { TenantScope } from '../../kernel/tenant-scope.js';
import { bounceOf } from '../../modules/feedback/domain/bounce-kind.js';
import { SuppressionList } from '../../modules/suppressions/application/suppression-list.js';
import type { KeptReply } from '../../modules/suppressions/domain/suppression-file.js';
import {
  SUPPRESSION_REASONS,
  type SuppressionReason,
} from '../../modules/suppressions/domain/suppression.js';
import { UsageError } from '../operator-fault.js';
import { environmentNamed, PlainText, type CliWorld } from './command.js';
import { workspaceNamed } from './workspace-named.js';
import { readFrom } from './read-from.js';
import type { Services } from './seed.js';

interface Whose {
  readonly workspace: string | undefined;
  readonly environment: string;
  readonly file: string | undefined;
  readonly reason: SuppressionReason | undefined;
}

export async function importSuppressions(args: string[], world: CliWorld): Promise<unknown> {
  const whose = read(args);
  if (whose.file === undefined) throw new UsageError('Specify one file, or - for standard input.');
  const text = await readFrom(whose.file, world);
  const { file: name, reason } = whose;
  return world.withServices(async (services) => {
    const scope = await scopeOf(whose, services);
    const { total, added, unchanged, refused, errors } = await services
      .get(SuppressionList)
      .import(scope, text, { by: 'operator', name, reason, isHard });
    return {
      workspace_id: scope.workspaceId,
      environment: scope.environment,
      total,
      added,
      unchanged,
      refused,
      errors,
    };
  });
}

export async function exportSuppressions(args: string[], world: CliWorld): Promise<unknown> {
  const whose = read(args);
  if (whose.reason !== undefined) throw new UsageError('--reason is only valid with suppression:import.');
  if (whose.file !== undefined)
    throw new UsageError('The list is written to standard output: redirect it to a file.');
  return world.withServices(async (services) => {
    const scope = await scopeOf(whose, services);
    return new PlainText(await services.get(SuppressionList).export(scope));
  });
}

/** Bounces in a provider's list are classified like bounces that it reports. */
function isHard({ code, detail }: KeptReply): boolean {
  return bounceOf({ words: ['hard'], code, detail }).kind === 'hard';
}

function read(args: string[]): Whose {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      workspace: { type: 'string' },
      environment: { type: 'string', default: 'live' },
      reason: { type: 'string' },
    },
  });
  const [file, ...more] = positionals;
  if (more.length > 0) throw new UsageError('Specify one file at a time.');
  const reason = SUPPRESSION_REASONS.find((known) => known === values.reason);
  if (values.reason !== undefined && reason === undefined)
    throw new UsageError(`--reason must be one of ${SUPPRESSION_REASONS.join(', ')}.`);
  return { file, workspace: values.workspace, environment: values.environment, reason };
}

async function scopeOf({ workspace, environment }: Whose, services: Services): Promise<TenantScope> {
  const { id } = await workspaceNamed(workspace, services);
  return { workspaceId: id, environment: environmentNamed(environment) };
}
