/** The operator's look at what payment providers have told and could not be applied, and another try for it. */
import { parseArgs } from 'node:util';
import { BillingReplay } from '../../modules/billing/application/billing-replay.js';
import { UsageError, type Command } from './command.js';

export const BILLING_COMMANDS: Readonly<Record<string, Command>> = {
  'billing:failed': {
    usage: 'billing:failed',
    run: async (args, world) => {
      parseArgs({ args });
      return world.withServices(async (services) => {
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
    },
  },
  'billing:replay': {
    usage: 'billing:replay --id ID | --all',
    run: async (args, world) => {
      const { values } = parseArgs({ args, options: { id: { type: 'string' }, all: { type: 'boolean' } } });
      const { id, all = false } = values;
      if ((id === undefined) === !all) throw new UsageError('Give --id of one event, or --all.');
      return world.withServices((services) => services.get(BillingReplay).replay(id ?? null));
    },
  },
};
