/**
 * The operator's commands. Each answers a JSON value, or throws a fault that is one line for the operator. What they
 * touch is handed in, so that tests run them as the command line does.
 */
import { parseArgs } from 'node:util';
import { parseJson } from '../../kernel/json-text.js';
import { DomainError } from '../../kernel/domain-error.js';
import { isEmailAddress } from '../../kernel/email-address.js';
import { BY_OPERATOR, KEY_SCOPES } from '../../kernel/principal.js';
import { ENVIRONMENTS, isUuid } from '../../kernel/tenant-scope.js';
import { ApiKeyService } from '../../modules/api-keys/application/api-key.service.js';
import { permissionMatrix } from '../../modules/access/domain/permission.js';
import { LocalIssuer } from '../../modules/auth/application/local-issuer.js';
import { ContactErasureService } from '../../modules/contacts/application/contact-erasure.service.js';
import { planOf } from '../../modules/limits/domain/plan.js';
import { type CliWorld, type Command, environmentNamed, UsageError, workspaceNamed } from './command.js';
import { BILLING_COMMANDS } from './billing.js';
import { bounceReceive } from './bounce-receive.js';
import { DOMAINS } from './domains.js';
import { importFile } from './import-file.js';
import { flowDraw } from './flow-draw.js';
import { EXPLANATIONS } from './explanations.js';
import { readFrom } from './read-from.js';
import { rollupsRebuild } from './rollups.js';
import { seedFile } from './seed.js';
import { SECRETS } from './secrets.js';
import { SUPPRESSION_COMMANDS } from './suppressions.js';
import { flowSimulate } from './flow-simulate.js';
import { workspaceLimits } from './workspace-limits.js';

const COMMANDS: Readonly<Record<string, Command>> = {
  token: {
    usage: 'token --email a@b.c [--name NAME] [--workspace ID] [--hours 12]',
    run: token,
  },
  permissions: { usage: 'permissions', run: permissions },
  seed: { usage: 'seed FILE.json (- reads standard input)', run: seed },
  migrate: { usage: 'migrate', run: migrate },
  'key:create': {
    usage:
      `key:create --workspace ID_OR_NAME --name NAME [--scope ${KEY_SCOPES.join('|')}] ` +
      `[--environment ${ENVIRONMENTS.join('|')}] [--rate-limit PER_MINUTE]`,
    run: createKey,
  },
  'contact:erase': {
    usage: `contact:erase --workspace ID_OR_NAME --contact EXTERNAL_ID [--environment ${ENVIRONMENTS.join('|')}]`,
    run: eraseContact,
  },
  'bounce:receive': bounceReceive,
  'flow:draw': flowDraw,
  'flow:simulate': flowSimulate,
  import: importFile,
  'key:revoke': { usage: 'key:revoke --workspace ID_OR_NAME --id KEY_ID', run: revokeKey },
  'rollups:rebuild': rollupsRebuild,
  'workspace:limits': workspaceLimits,
  ...BILLING_COMMANDS,
  ...EXPLANATIONS,
  ...SUPPRESSION_COMMANDS,
  ...DOMAINS,
  ...SECRETS,
};

/**
 * Runs the command that the arguments name.
 * @returns what is to be printed: a JSON value or a PlainText.
 * @throws UsageError, DomainError: the operator's fault; anything else is ours.
 */
export async function runCommand(argv: readonly string[], world: CliWorld): Promise<unknown> {
  const [name = 'help', ...args] = argv;
  const usages = Object.values(COMMANDS).map(({ usage }) => usage);
  if (name === 'help' || name === '--help') return { commands: usages };
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) throw new UsageError(`There is no command ${name}. Commands: ${usages.join('; ')}`);
  try {
    return await command.run(args, world);
  } catch (error) {
    const { code, message } = error as { code?: unknown; message?: string };
    if (typeof code === 'string' && code.startsWith('ERR_PARSE_ARGS'))
      throw new UsageError(`${message ?? code} Usage: ${command.usage}`);
    throw error;
  }
}

/** The one line that tells the operator of a fault of theirs; undefined when it is not theirs. */
export function operatorFault(error: unknown): string | undefined {
  if (error instanceof UsageError) return error.message;
  if (error instanceof DomainError) return `${error.code}: ${error.detail}`;
  return undefined;
}

async function token(args: string[], world: CliWorld): Promise<unknown> {
  const { values } = parseArgs({
    args,
    options: {
      email: { type: 'string' },
      name: { type: 'string' },
      workspace: { type: 'string' },
      hours: { type: 'string', default: '12' },
    },
  });
  const { email, name, workspace } = values;
  const hours = Number(values.hours);
  if (world.config.identityProvider)
    throw new UsageError('AUTH_JWKS_URL is set: tokens come from your identity provider.');
  if (email === undefined || !isEmailAddress(email))
    throw new UsageError('--email must be an email address.');
  if (!(hours > 0 && hours <= 8_760))
    throw new UsageError('--hours must be a number above 0 and at most 8760.');
  if (workspace !== undefined && !isUuid(workspace))
    throw new UsageError("--workspace must be a workspace's id.");
  const issuer = await LocalIssuer.open(world.config.dataDir);
  const issued = await issuer.issue({ email, name }, hours, world.now());
  return {
    token: issued.token,
    email,
    subject: issued.subject,
    expires_at: issued.expiresAt.toISOString(),
    headers: {
      Authorization: `Bearer ${issued.token}`,
      ...(workspace === undefined ? {} : { 'X-WORKSPACE-ID': workspace }),
    },
  };
}

/** Who may do what, as the guard has it. */
function permissions(args: string[]): Promise<unknown> {
  parseArgs({ args });
  const { permissions, keyScopes } = permissionMatrix();
  return Promise.resolve({ permissions, key_scopes: keyScopes });
}

async function seed(args: string[], world: CliWorld): Promise<unknown> {
  const { positionals } = parseArgs({ args, allowPositionals: true });
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0)
    throw new UsageError('Give one file: seed FILE.json, or - for standard input.');
  const content = parsed(file, await readFrom(file, world));
  return world.withServices((services) => seedFile(content, services));
}

async function migrate(args: string[], world: CliWorld): Promise<unknown> {
  parseArgs({ args });
  return { applied: await world.migrate() };
}

async function createKey(args: string[], world: CliWorld): Promise<unknown> {
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
  return world.withServices(async (services) => {
    const workspace = await workspaceNamed(values.workspace, services);
    const wanted = { name, scope, environment, rateLimitPerMinute: rate === undefined ? null : Number(rate) };
    const plan = planOf(workspace.plan);
    const { apiKey, raw } = await services
      .get(ApiKeyService)
      .create({ workspaceId: workspace.id }, plan, wanted, BY_OPERATOR);
    return { id: apiKey.id, workspace_id: workspace.id, name, scope, environment, key: raw };
  });
}

async function revokeKey(args: string[], world: CliWorld): Promise<unknown> {
  const { values } = parseArgs({ args, options: { workspace: { type: 'string' }, id: { type: 'string' } } });
  const { id } = values;
  if (id === undefined) throw new UsageError('--id is missing.');
  return world.withServices(async (services) => {
    const workspace = await workspaceNamed(values.workspace, services);
    const key = await services.get(ApiKeyService).revoke({ workspaceId: workspace.id }, id, BY_OPERATOR);
    return {
      id: key.id,
      workspace_id: workspace.id,
      name: key.name,
      revoked_at: key.revokedAt?.toISOString(),
    };
  });
}

async function eraseContact(args: string[], world: CliWorld): Promise<unknown> {
  const { values } = parseArgs({
    args,
    options: {
      workspace: { type: 'string' },
      contact: { type: 'string' },
      environment: { type: 'string', default: 'live' },
    },
  });
  const environment = environmentNamed(values.environment);
  const { contact } = values;
  if (contact === undefined) throw new UsageError('--contact is missing.');
  return world.withServices(async (services) => {
    const workspace = await workspaceNamed(values.workspace, services);
    const { id, externalId, rows } = await services
      .get(ContactErasureService)
      .erase({ workspaceId: workspace.id, environment }, contact);
    return {
      workspace_id: workspace.id,
      environment,
      id,
      external_id: externalId,
      ...Object.fromEntries(rows),
    };
  });
}

function parsed(file: string, text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    // The parser's own words quote what stands there, which may be a key.
    const [place = ''] = / at position \d+/.exec((error as Error).message) ?? [];
    throw new UsageError(`${file} is not valid JSON${place}.`, { cause: error });
  }
}
