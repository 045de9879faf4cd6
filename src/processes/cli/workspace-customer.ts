/** Assigns a payment provider's customer to a workspace. */
import { parseArgs } from 'node:util';
import { isStorableText } from '../../kernel/json.js';
import { OPERATOR_AUTHOR } from '../../kernel/principal.js';
import { CustomerLinks } from '../../modules/billing/application/customer-links.js';
import { MAX_PROVIDER_NAME_LENGTH } from '../../modules/billing/domain/billing-event.js';
import { UsageError } from '../operator-fault.js';
import type { CliContext } from './command.js';
import { workspaceNamed } from './workspace-named.js';

export async function linkCustomer(args: string[], context: CliContext): Promise<unknown> {
  const { values } = parseArgs({
    args,
    options: { workspace: { type: 'string' }, customer: { type: 'string' }, none: { type: 'boolean' } },
  });
  const { customer, none = false } = values;
  if ((customer === undefined) === !none) throw new UsageError('Specify --customer, or --none.');
  if (customer !== undefined && !isCustomerId(customer))
    throw new UsageError(
      `--customer must have 1 to ${MAX_PROVIDER_NAME_LENGTH} characters, without leading or trailing white space.`,
    );
  return context.withServices(async (services) => {
    const { id, name } = await workspaceNamed(values.workspace, services);
    const record = await services
      .get(CustomerLinks)
      .link({ workspaceId: id }, customer ?? null, OPERATOR_AUTHOR);
    return { id, name, plan: record.plan, payment_customer_id: record.paymentCustomerId };
  });
}

function isCustomerId(text: string): boolean {
  return (
    text !== '' && text === text.trim() && text.length <= MAX_PROVIDER_NAME_LENGTH && isStorableText(text)
  );
}
