/**
 * The names and usage of all commands. Each command is a module that is loaded when it runs. Commands receive their
 * environment as an argument, so that tests run them as the command line does.
 */
import { KEY_SCOPES } from '../../kernel/principal.js';
import { ENVIRONMENTS } from '../../kernel/tenant-scope.js';
import { ENDPOINT_GROUPS, PLAN_NAMES } from '../../modules/limits/domain/plan.js';
import { SUPPRESSION_REASONS } from '../../modules/suppressions/domain/suppression.js';
import { UsageError } from '../operator-fault.js';
import type { CliContext, Command } from './command.js';

interface ListedCommand {
  readonly usage: string;
  readonly load: () => Promise<Command>;
}

const ENVIRONMENT = `[--environment ${ENVIRONMENTS.join('|')}]`;
const WORKSPACE = '--workspace ID_OR_NAME';

const COMMANDS: Readonly<Record<string, ListedCommand>> = {
  token: {
    usage: 'token --email a@b.c [--name NAME] [--workspace ID] [--hours 12]',
    load: async () => (await import('./token.js')).token,
  },
  permissions: {
    usage: 'permissions',
    load: async () => (await import('./permissions.js')).permissions,
  },
  seed: {
    usage: 'seed FILE.json (- reads standard input)',
    load: async () => (await import('./seed-command.js')).seed,
  },
  migrate: { usage: 'migrate', load: async () => (await import('./migrate.js')).migrate },
  'key:create': {
    usage:
      `key:create ${WORKSPACE} --name NAME [--scope ${KEY_SCOPES.join('|')}] ` +
      `${ENVIRONMENT} [--rate-limit PER_MINUTE]`,
    load: async () => (await import('./api-keys.js')).createKey,
  },
  'contact:erase': {
    usage: `contact:erase ${WORKSPACE} --contact EXTERNAL_ID ${ENVIRONMENT}`,
    load: async () => (await import('./contact-erase.js')).eraseContact,
  },
  'bounce:receive': {
    usage: 'bounce:receive (reads one raw message from standard input)',
    load: async () => (await import('./bounce-receive.js')).bounceReceive,
  },
  'flow:draw': {
    usage: `flow:draw ${WORKSPACE} --flow ID [--format svg|mermaid] ${ENVIRONMENT}`,
    load: async () => (await import('./flow-draw.js')).drawFlow,
  },
  'flow:simulate': {
    usage: `flow:simulate ${WORKSPACE} --flow FLOW_ID [--from DATE] [--to DATE] [--fresh] ${ENVIRONMENT}`,
    load: async () => (await import('./flow-simulate.js')).simulateFlow,
  },
  import: {
    usage:
      `import FILE (- reads standard input) ${WORKSPACE} ${ENVIRONMENT} ` +
      '[--map COLUMN=FIELD …] [--type COLUMN=TYPE …] [--tag TAG …] [--dry-run [--rows]]',
    load: async () => (await import('./import-file.js')).importFile,
  },
  'key:revoke': {
    usage: `key:revoke ${WORKSPACE} --id KEY_ID`,
    load: async () => (await import('./api-keys.js')).revokeKey,
  },
  'rollups:rebuild': {
    usage: `rollups:rebuild ${WORKSPACE} ${ENVIRONMENT}`,
    load: async () => (await import('./rollups.js')).rebuildRollups,
  },
  'provider:check': {
    usage: 'provider:check [--workspace ID_OR_NAME] [--to EMAIL] [--json]',
    load: async () => (await import('./provider-check.js')).checkProvider,
  },
  'workspace:create': {
    usage:
      `workspace:create --name NAME --owner EMAIL [--owner-name NAME] [--plan ${PLAN_NAMES.join('|')}] ` +
      '[--timezone ZONE] [--api-key NAME]',
    load: async () => (await import('./workspace-create.js')).createWorkspace,
  },
  'workspace:limits': {
    usage:
      `workspace:limits ${WORKSPACE} [--per-minute N|unlimited] [--per-hour N|unlimited] ` +
      `[--group ${ENDPOINT_GROUPS.join('|')}=N|unlimited]...`,
    load: async () => (await import('./workspace-limits.js')).workspaceLimits,
  },
  'workspace:link-customer': {
    usage: `workspace:link-customer ${WORKSPACE} --customer CUSTOMER_ID | --none`,
    load: async () => (await import('./workspace-customer.js')).linkCustomer,
  },
  'billing:failed': {
    usage: 'billing:failed',
    load: async () => (await import('./billing.js')).billingFailed,
  },
  'billing:replay': {
    usage: 'billing:replay --id ID | --all',
    load: async () => (await import('./billing.js')).billingReplay,
  },
  'trip:explain': {
    usage: `trip:explain ${WORKSPACE} --trip ID ${ENVIRONMENT}`,
    load: async () => (await import('./explanations.js')).explainTrip,
  },
  'contact:explain': {
    usage: `contact:explain ${WORKSPACE} --contact EXTERNAL_ID --flow ID ${ENVIRONMENT}`,
    load: async () => (await import('./explanations.js')).explainContact,
  },
  'suppression:import': {
    usage:
      `suppression:import FILE (CSV or JSON; - reads standard input) ${WORKSPACE} ${ENVIRONMENT} ` +
      `[--reason ${SUPPRESSION_REASONS.join('|')}]`,
    load: async () => (await import('./suppressions.js')).importSuppressions,
  },
  'suppression:export': {
    usage: `suppression:export ${WORKSPACE} ${ENVIRONMENT}`,
    load: async () => (await import('./suppressions.js')).exportSuppressions,
  },
  'domain:check': {
    usage: `domain:check ${WORKSPACE} --domain DOMAIN`,
    load: async () => (await import('./domains.js')).checkDomain,
  },
  'dkim:key': { usage: 'dkim:key', load: async () => (await import('./domains.js')).makeSharedKey },
  'secrets:rotate': {
    usage: 'secrets:rotate',
    load: async () => (await import('./secrets.js')).rotateSecrets,
  },
};

/**
 * Runs the command that the arguments name.
 * @returns what to print: a JSON value, a PlainText or a FailedAnswer.
 * @throws UsageError or DomainError for an operator's mistake; any other error is a bug.
 */
export async function runCommand(argv: readonly string[], context: CliContext): Promise<unknown> {
  const [name = 'help', ...args] = argv;
  const usages = Object.values(COMMANDS).map(({ usage }) => usage);
  if (name === 'help' || name === '--help') return { commands: usages };
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) throw new UsageError(`Unknown command ${name}. Commands: ${usages.join('; ')}`);
  const run = await command.load();
  try {
    return await run(args, context);
  } catch (error) {
    const { code, message } = error as { code?: unknown; message?: string };
    if (typeof code === 'string' && code.startsWith('ERR_PARSE_ARGS'))
      throw new UsageError(`${message ?? code} Usage: ${command.usage}`);
    throw error;
  }
}
