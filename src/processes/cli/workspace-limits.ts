/** Sets the request rates of a workspace whose plan does not define them, section 8.1. */
import { parseArgs } from 'node:util';
import { OPERATOR_AUTHOR } from '../../kernel/principal.js';
import { ENDPOINT_GROUPS, HIGHEST_CUSTOM_RATE, planOf, ratesOf } from '../../modules/limits/domain/plan.js';
import { WorkspaceRates } from '../../modules/workspaces/application/workspace-rates.js';
import type { CustomRatesChange, Workspace } from '../../modules/workspaces/domain/workspace.js';
import { UsageError } from '../operator-fault.js';
import type { CliContext } from './command.js';
import { workspaceNamed } from './workspace-named.js';

const UNLIMITED = 'unlimited';

export async function workspaceLimits(args: string[], context: CliContext): Promise<unknown> {
  const { values } = parseArgs({
    args,
    options: {
      workspace: { type: 'string' },
      'per-minute': { type: 'string' },
      'per-hour': { type: 'string' },
      group: { type: 'string', multiple: true, default: [] },
    },
  });
  const { 'per-minute': perMinute, 'per-hour': perHour } = values;
  const change: CustomRatesChange = {
    ...(perMinute === undefined ? {} : { perMinute: rateOf('--per-minute', perMinute) }),
    ...(perHour === undefined ? {} : { perHour: rateOf('--per-hour', perHour) }),
    ...Object.fromEntries(values.group.map(groupRate)),
  };
  return context.withServices(async (services) => {
    const workspace = await workspaceNamed(values.workspace, services);
    if (Object.keys(change).length === 0) return toOutput(workspace);
    const scope = { workspaceId: workspace.id };
    return toOutput(await services.get(WorkspaceRates).change(scope, change, OPERATOR_AUTHOR));
  });
}

function groupRate(text: string): [string, number | null] {
  const [name, rate = '', ...more] = text.split('=');
  const group = ENDPOINT_GROUPS.find((known) => known === name);
  if (!group || more.length > 0)
    throw new UsageError(
      `--group must be one of ${ENDPOINT_GROUPS.join(', ')}, with its rate, such as events=5000.`,
    );
  return [group, rateOf('--group', rate)];
}

function rateOf(option: string, text: string): number | null {
  if (text === UNLIMITED) return null;
  const rate = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(rate >= 1 && rate <= HIGHEST_CUSTOM_RATE))
    throw new UsageError(`${option} must be an integer from 1 to ${HIGHEST_CUSTOM_RATE}, or ${UNLIMITED}.`);
  return rate;
}

/** The rates in effect; null means unlimited. */
function toOutput({ id, plan, customRates }: Workspace): object {
  const { perCaller, perWorkspace } = ratesOf(planOf(plan), customRates);
  const rate = (value: number): number | null => (Number.isFinite(value) ? value : null);
  return {
    workspace_id: id,
    plan,
    per_minute: rate(perCaller.minute),
    per_hour: rate(perCaller.hour),
    groups: Object.fromEntries(ENDPOINT_GROUPS.map((group) => [group, rate(perWorkspace[group])])),
  };
}
