/** Finds the workspace that a command names. */
import { isUuid } from '../../kernel/tenant-scope.js';
import { WorkspaceService } from '../../modules/workspaces/application/workspace.service.js';
import type { Workspace } from '../../modules/workspaces/domain/workspace.js';
import { UsageError } from '../operator-fault.js';
import type { Services } from './seed.js';

/**
 * Finds a workspace by id or name.
 * @throws UsageError if there is none, or more than one.
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
