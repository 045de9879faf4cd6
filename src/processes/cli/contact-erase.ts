/** `cli contact:erase`: deletes all stored data of a contact. */
import { parseArgs } from 'node:util';
import { ContactErasureService } from '../../modules/contacts/application/contact-erasure.service.js';
import { UsageError } from '../operator-fault.js';
import { type CliContext, environmentNamed } from './command.js';
import { workspaceNamed } from './workspace-named.js';

export async function eraseContact(args: string[], context: CliContext): Promise<unknown> {
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
  return context.withServices(async (services) => {
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
