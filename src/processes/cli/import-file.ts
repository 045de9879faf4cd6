/**
 * `cli import`: stores a file, creates a migration from it, and reports its progress until it finishes (section 4.9).
 * The service's workers do the work: the migration continues if the command is interrupted.
 */
import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { snakeCase } from '../../kernel/letter-case.js';
import { OPERATOR_AUTHOR } from '../../kernel/principal.js';
import type { TenantScope } from '../../kernel/tenant-scope.js';
import { ImportFiles } from '../../modules/imports/application/import-files.js';
import { ImportResults } from '../../modules/imports/application/import-results.js';
import { ImportsService } from '../../modules/imports/application/imports.service.js';
import { MAX_STORED_ROWS } from '../../modules/imports/domain/import-bounds.js';
import type { ImportFile } from '../../modules/imports/domain/files/import-file.js';
import type { ImportJob } from '../../modules/imports/domain/import-job.js';
import { assertMigrates } from '../../modules/imports/domain/import-plan.js';
import { readImportRequest } from '../../modules/imports/input/migration.input.js';
import { UsageError } from '../operator-fault.js';
import { type CliContext, environmentNamed } from './command.js';
import { workspaceNamed } from './workspace-named.js';
import { progressLine } from './progress-line.js';
import type { Services } from './seed.js';

/** Milliseconds between two polls of the job. */
const POLL_INTERVAL_MS = 500;
/** Number of errors to print. GET /v1/migrations/{id}/errors returns all stored ones. */
const SHOWN_ERRORS = 20;

export async function importFile(args: string[], context: CliContext): Promise<unknown> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      workspace: { type: 'string' },
      environment: { type: 'string', default: 'live' },
      map: { type: 'string', multiple: true, default: [] },
      type: { type: 'string', multiple: true, default: [] },
      tag: { type: 'string', multiple: true, default: [] },
      'dry-run': { type: 'boolean', default: false },
      rows: { type: 'boolean', default: false },
    },
  });
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0)
    throw new UsageError('Specify one file, or - for standard input.');
  if (values.rows && !values['dry-run'])
    throw new UsageError('--rows lists what a --dry-run would do: specify both.');
  const environment = environmentNamed(values.environment);
  const mapping = Object.fromEntries(values.map.map((text) => pairIn('map', text, 'FIELD', 'E-mail=email')));
  const types = Object.fromEntries(values.type.map((text) => pairIn('type', text, 'TYPE', 'joined=date')));
  const options = { tags: values.tag, dry_run: values['dry-run'] };
  readImportRequest({ platform: 'file', config: { ...options, field_mapping: mapping, field_types: types } });
  return context.withServices(async (services) => {
    const workspace = await workspaceNamed(values.workspace, services);
    assertMigrates(workspace.plan);
    const scope = { workspaceId: workspace.id, environment };
    const stored = await store(file, scope, services, context);
    const request = readImportRequest({
      platform: 'file',
      config: {
        ...{ ...options, file_id: stored.id },
        field_mapping: { ...stored.suggestedMapping, ...mapping },
        field_types: { ...stored.suggestedTypes, ...types },
      },
    });
    const job = await services.get(ImportsService).request(scope, workspace.plan, request, OPERATOR_AUTHOR);
    const ended = await waitUntilDone(job, scope, services, context);
    if (ended.status !== 'completed') throw new UsageError(unfinished(ended));
    const page = { limit: SHOWN_ERRORS, after: 0 };
    const results = services.get(ImportResults);
    return {
      ...toOutput(ended, scope, await results.errors(scope, ended.id, page)),
      ...(values.rows && { rows: await rowsOf(ended, scope, results) }),
    };
  });
}

async function rowsOf({ id }: ImportJob, scope: TenantScope, results: ImportResults): Promise<object[]> {
  const { rows } = await results.rows(scope, id, { limit: MAX_STORED_ROWS, after: 0 });
  return rows.map(({ row, externalId, outcome, updatedFields, optsOut, code }) => ({
    ...{ row, external_id: externalId, outcome, updated_fields: updatedFields.map(snakeCase) },
    ...{ opts_out: optsOut, code },
  }));
}

/** Parses a column and its field. The last `=` separates them, because field names contain none. */
function pairIn(option: string, text: string, what: string, example: string): [string, string] {
  const at = text.lastIndexOf('=');
  if (at < 1) throw new UsageError(`--${option} ${text}: write COLUMN=${what}, such as ${example}.`);
  return [text.slice(0, at), text.slice(at + 1)];
}

async function store(
  file: string,
  scope: TenantScope,
  services: Services,
  context: CliContext,
): Promise<ImportFile> {
  context.watcher.show('Storing the file …');
  const name = file === '-' ? 'standard input' : basename(file);
  try {
    const upload = { name, createdBy: OPERATOR_AUTHOR.actor };
    return await services.get(ImportFiles).receive(scope, upload, context.readBytes(file));
  } catch (error) {
    const { code, syscall, message } = error as NodeJS.ErrnoException;
    if (syscall === undefined) throw error;
    throw new UsageError(`${file} cannot be read (${code ?? message}).`, { cause: error });
  }
}

async function waitUntilDone(
  { id }: ImportJob,
  scope: TenantScope,
  services: Services,
  { watcher }: CliContext,
): Promise<ImportJob> {
  const imports = services.get(ImportsService);
  const clearMessage = watcher.onInterrupt(
    () =>
      `The migration ${id} continues without this command; GET /v1/migrations/${id} returns its progress.`,
  );
  try {
    for (;;) {
      const job = await imports.get(scope, id);
      watcher.show(progressLine(job));
      if (job.status !== 'queued' && job.status !== 'running') return job;
      await pause(POLL_INTERVAL_MS);
    }
  } finally {
    clearMessage();
  }
}

function unfinished({ id, status, error }: ImportJob): string {
  if (!error) return `The migration ${id} was ${status}.`;
  return `The migration ${id} has ${status}: ${error.code}: ${error.detail} It can be resumed.`;
}

function toOutput(
  { id, config, progress, ...job }: ImportJob,
  { workspaceId, environment }: TenantScope,
  { errors }: Awaited<ReturnType<ImportResults['errors']>>,
): object {
  return {
    ...{ id, workspace_id: workspaceId, environment, file_id: config.fileId, status: job.status },
    ...{ dry_run: config.dryRun, tags: config.tags, field_mapping: config.fieldMapping },
    field_types: config.fieldTypes ?? {},
    ...{ imported: progress.imported, failed: progress.failed, total: progress.total },
    ...{ created_contacts: job.createdContacts, updated_contacts: job.updatedContacts },
    ...{ unsubscribed: job.unsubscribed, suppressed: job.suppressed, mistyped_values: job.mistyped },
    errors: errors.map(({ row, externalId, code, detail }) => ({
      row,
      external_id: externalId,
      code,
      detail,
    })),
  };
}
