/** Creates a workspace with its owner and, on request, a first API key. */
import { parseArgs } from 'node:util';
import { isEmailAddress } from '../../kernel/email-address.js';
import { isStorableText } from '../../kernel/json.js';
import { OPERATOR_AUTHOR } from '../../kernel/principal.js';
import type { WorkspaceScope } from '../../kernel/tenant-scope.js';
import { isTimeZone } from '../../kernel/time-zone.js';
import { ApiKeyService } from '../../modules/api-keys/application/api-key.service.js';
import { PLAN_NAMES, planOf } from '../../modules/limits/domain/plan.js';
import { MemberService } from '../../modules/workspaces/application/member.service.js';
import { WorkspaceService } from '../../modules/workspaces/application/workspace.service.js';
import { emailKeyOf } from '../../modules/workspaces/domain/member.js';
import type { Workspace } from '../../modules/workspaces/domain/workspace.js';
import { UsageError } from '../operator-fault.js';
import type { CliContext } from './command.js';
import type { Services } from './seed.js';

const MAX_NAME_LENGTH = 255;

interface NewWorkspaceOptions {
  readonly name: string;
  readonly owner: string;
  readonly ownerName: string;
  readonly plan: (typeof PLAN_NAMES)[number] | undefined;
  readonly timezone: string | undefined;
  readonly apiKey: string | undefined;
}

/** If it runs again with the same name and owner, it creates only what is missing. */
export async function createWorkspace(args: string[], context: CliContext): Promise<unknown> {
  const options = read(args);
  return context.withServices(async (services) => {
    const known = await knownWorkspace(options, services);
    const workspace = known ?? (await create(options, services));
    const scope = { workspaceId: workspace.id };
    const ownerId = await ensureOwner(scope, options, services);
    const key =
      options.apiKey === undefined ? {} : await ensureKey(scope, workspace, options.apiKey, services);
    return {
      id: workspace.id,
      name: workspace.name,
      plan: workspace.plan,
      timezone: workspace.settings.timezone ?? 'UTC',
      created: known === undefined,
      owner: { id: ownerId, email: options.owner },
      ...key,
    };
  });
}

function read(args: string[]): NewWorkspaceOptions {
  const { values } = parseArgs({
    args,
    options: {
      name: { type: 'string' },
      owner: { type: 'string' },
      'owner-name': { type: 'string', default: '' },
      plan: { type: 'string' },
      timezone: { type: 'string' },
      'api-key': { type: 'string' },
    },
  });
  const { owner, timezone, 'owner-name': ownerName, 'api-key': apiKey } = values;
  const name = values.name?.trim() ?? '';
  const plan = PLAN_NAMES.find((known) => known === values.plan);
  if (values.name === undefined) throw new UsageError('--name is missing.');
  if (name === '' || !fits(name))
    throw new UsageError(`--name must have 1 to ${MAX_NAME_LENGTH} characters.`);
  if (owner === undefined || !isEmailAddress(owner))
    throw new UsageError(
      '--owner must be an email address: the person who signs in with it owns the workspace.',
    );
  if (!fits(ownerName)) throw new UsageError(`--owner-name must have at most ${MAX_NAME_LENGTH} characters.`);
  if (values.plan !== undefined && plan === undefined)
    throw new UsageError(`--plan must be one of ${PLAN_NAMES.join(', ')}.`);
  if (timezone !== undefined && !isTimeZone(timezone))
    throw new UsageError('--timezone must be an IANA time zone, such as Europe/Berlin.');
  return { name, owner, ownerName, plan, timezone, apiKey };
}

function fits(text: string): boolean {
  return text.length <= MAX_NAME_LENGTH && isStorableText(text);
}

/** @throws UsageError if a workspace with this name exists but differs from the request. */
async function knownWorkspace(
  options: NewWorkspaceOptions,
  services: Services,
): Promise<Workspace | undefined> {
  const { name, owner, plan, timezone } = options;
  const workspaces = services.get(WorkspaceService);
  const ids = await workspaces.idsByName(name);
  const [id] = ids;
  if (id === undefined) return undefined;
  const refused = (why: string): UsageError =>
    new UsageError(`There is already a workspace ${name} (${ids.join(', ')}) ${why}: use another --name.`);
  if (ids.length > 1) throw refused('more than once');
  const workspace = await workspaces.get({ workspaceId: id });
  const members = await services.get(MemberService).list({ workspaceId: id });
  const existing = members.find(({ role }) => role === 'owner');
  if (existing && emailKeyOf(existing.email) !== emailKeyOf(owner)) throw refused('with another owner');
  if (plan !== undefined && plan !== workspace.plan) throw refused(`on the plan ${workspace.plan}`);
  if (timezone !== undefined && timezone !== workspace.settings.timezone)
    throw refused(`in the time zone ${workspace.settings.timezone ?? 'UTC'}`);
  return workspace;
}

async function create({ name, plan, timezone }: NewWorkspaceOptions, services: Services): Promise<Workspace> {
  return services.get(WorkspaceService).create({
    name,
    plan: plan ?? 'free',
    paymentCustomerId: null,
    paymentSubscriptionId: null,
    // The operator confirms the owner's address.
    accountEmailVerified: true,
    live: false,
    company: {},
    sender: {},
    settings: timezone === undefined ? {} : { timezone },
  });
}

async function ensureOwner(
  scope: WorkspaceScope,
  { owner, ownerName }: NewWorkspaceOptions,
  services: Services,
): Promise<string> {
  const members = services.get(MemberService);
  const known = (await members.list(scope)).find(({ role }) => role === 'owner');
  return (known ?? (await members.addActive(scope, { email: owner, name: ownerName, role: 'owner' }))).id;
}

async function ensureKey(
  scope: WorkspaceScope,
  { plan }: Workspace,
  name: string,
  services: Services,
): Promise<object> {
  const keys = services.get(ApiKeyService);
  const known = (await keys.list(scope)).find((key) => key.name === name && key.revokedAt === null);
  if (known) return { api_key: { id: known.id, name } };
  const { apiKey, raw } = await keys.create(
    scope,
    planOf(plan),
    { name, scope: 'full', environment: 'live', rateLimitPerMinute: null },
    OPERATOR_AUTHOR,
  );
  return { api_key: { id: apiKey.id, name, key: raw } };
}
