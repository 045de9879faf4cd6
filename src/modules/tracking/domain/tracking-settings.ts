/** What of a workspace's mail is tracked: nothing, unless its people say so. */
import type { ContentType } from '../../../kernel/email-settings.js';
import type { WorkspaceSettings } from '../../workspaces/domain/workspace.js';

export interface TrackedParts {
  readonly opens: boolean;
  readonly clicks: boolean;
}

/** What is tracked of a message. */
export function trackedParts(
  { tracking }: Pick<WorkspaceSettings, 'tracking'>,
  contentType: ContentType,
): TrackedParts {
  const isMeant = tracking !== undefined && (contentType === 'promotional' || tracking.transactional);
  return { opens: isMeant && tracking.opens, clicks: isMeant && tracking.clicks };
}
