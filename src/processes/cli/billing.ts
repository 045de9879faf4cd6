/** Commands that list payment provider events that could not be applied, and retry them. */
import { parseArgs } from 'node:util';
import { BillingReplay } from '../../modules/billing/application/billing-replay.js';
import { UsageError } from '../operator-fault.js';
import type { CliContext } from './command.js';

export async function billingFailed(args: string[], context: CliContext): Promise<unknown> {
  parseArgs({ args });
  return context.withServices(async (services) => {
    const failed = await services.get(BillingReplay).failed();
    return {
      failed: failed.map(({ id, workspaceId, source, type, failure, receivedAt }) => ({
        id,
        workspace_id: workspaceId,
        source,
        type,
        failure,
        received_at: receivedAt.toISOString(),
      })),
    };
  });
}

export async function billingReplay(args: string[], context: CliContext): Promise<unknown> {
  const { values } = parseArgs({ args, options: { id: { type: 'string' }, all: { type: 'boolean' } } });
  const { id, all = false } = values;
  if ((id === undefined) === !all) throw new UsageError('Specify --id of one event, or --all.');
  return context.withServices((services) => services.get(BillingReplay).replay(id ?? null));
}
