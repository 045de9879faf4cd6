/** The workspace that a command names, by its id or by its name. */
import { isUuid } from '../../kernel/tenant-scope.js';
import { WorkspaceService } from '../../modules/workspaces/application/workspace.service.js';
import type { Workspace } from '../../modules/workspaces/domain/workspace.js';
import { UsageError } from '../operator-fault.js';
import type { Services } from './seed.js';

/**
 * The workspace that an operator names by its id or its name.
 * @throws UsageError where there is none, or more than one.
 */
export async function workspaceNamed(text: string | undefined, services: Services): Promise<Workspace> {
  if (text === undefined) throw new UsageError('--workspace is missing.');
  const workspaces = services.get(WorkspaceService);
  const ids = isUuid(text) ? [text.toLowerCase()] : await workspaces.idsByName(text);
  if (ids.length > 1) throw new UsageError(`Several workspaces are named ${text}: use an ID.`);
  const workspace = ids[0] === undefined ? undefined : await workspaces.find({ workspaceId: ids[0] });
  if (!workspace) throw new UsageError(`There is no workspace ${text}.`);
  return workspace;
}
