/** The operator's ways with lists of suppressed addresses: files in and out. */
import { parseArgs } from 'node:util';
import type { TenantScope } from '../../kernel/tenant-scope.js';
import { SuppressionList } from '../../modules/suppressions/application/suppression-list.js';
import { UsageError } from '../operator-fault.js';
import { environmentNamed, PlainText, type CliWorld } from './command.js';
import { workspaceNamed } from './workspace-named.js';
import { readFrom } from './read-from.js';
import type { Services } from './seed.js';

interface Whose {
  readonly workspace: string | undefined;
  readonly environment: string;
  readonly file: string | undefined;
}

export async function importSuppressions(args: string[], world: CliWorld): Promise<unknown> {
  const whose = read(args);
  if (whose.file === undefined) throw new UsageError('Give one file, or - for standard input.');
  const csv = await readFrom(whose.file, world);
  return world.withServices(async (services) => {
    const scope = await scopeOf(whose, services);
    const { total, added, unchanged, refused, errors } = await services
      .get(SuppressionList)
      .import(scope, csv, 'operator');
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
  if (whose.file !== undefined)
    throw new UsageError('The list goes to standard output: lead it into a file from there.');
  return world.withServices(async (services) => {
    const scope = await scopeOf(whose, services);
    return new PlainText(await services.get(SuppressionList).export(scope));
  });
}

function read(args: string[]): Whose {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { workspace: { type: 'string' }, environment: { type: 'string', default: 'live' } },
  });
  const [file, ...more] = positionals;
  if (more.length > 0) throw new UsageError('Give one file at a time.');
  return { file, workspace: values.workspace, environment: values.environment };
}

async function scopeOf({ workspace, environment }: Whose, services: Services): Promise<TenantScope> {
  const { id } = await workspaceNamed(workspace, services);
  return { workspaceId: id, environment: environmentNamed(environment) };
}
