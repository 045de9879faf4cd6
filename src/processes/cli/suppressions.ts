/** Commands that import and export lists of suppressed addresses. */
import { parseArgs } from 'node:util';
import type { TenantScope } from '../../kernel/tenant-scope.js';
import { bounceOf } from '../../modules/feedback/domain/bounce-kind.js';
import { SuppressionList } from '../../modules/suppressions/application/suppression-list.js';
import type { StoredReply } from '../../modules/suppressions/domain/suppression-file.js';
import {
  SUPPRESSION_REASONS,
  type SuppressionReason,
} from '../../modules/suppressions/domain/suppression.js';
import { UsageError } from '../operator-fault.js';
import { environmentNamed, PlainText, type CliContext } from './command.js';
import { workspaceNamed } from './workspace-named.js';
import { readFrom } from './read-from.js';
import type { Services } from './seed.js';

interface SuppressionTarget {
  readonly workspace: string | undefined;
  readonly environment: string;
  readonly file: string | undefined;
  readonly reason: SuppressionReason | undefined;
}

export async function importSuppressions(args: string[], context: CliContext): Promise<unknown> {
  const target = read(args);
  if (target.file === undefined) throw new UsageError('Specify one file, or - for standard input.');
  const text = await readFrom(target.file, context);
  const { file: name, reason } = target;
  return context.withServices(async (services) => {
    const scope = await scopeOf(target, services);
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

export async function exportSuppressions(args: string[], context: CliContext): Promise<unknown> {
  const target = read(args);
  if (target.reason !== undefined) throw new UsageError('--reason is only valid with suppression:import.');
  if (target.file !== undefined)
    throw new UsageError('The list is written to standard output: redirect it to a file.');
  return context.withServices(async (services) => {
    const scope = await scopeOf(target, services);
    return new PlainText(await services.get(SuppressionList).export(scope));
  });
}

/** Bounces in a provider's list are classified like bounces that it reports. */
function isHard({ code, detail }: StoredReply): boolean {
  return bounceOf({ words: ['hard'], code, detail }).kind === 'hard';
}

function read(args: string[]): SuppressionTarget {
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

async function scopeOf(
  { workspace, environment }: SuppressionTarget,
  services: Services,
): Promise<TenantScope> {
  const { id } = await workspaceNamed(workspace, services);
  return { workspaceId: id, environment: environmentNamed(environment) };
}
