/** What of a workspace's mail is tracked: nothing, unless its people say so. */
import type { ContentType } from '../../../kernel/email-settings.js';
import type { WorkspaceSettings } from '../../workspaces/domain/workspace.js';

/** What a message bears to be tracked by, as one number: the sum of these. */
export const TRACKED = { opens: 1, clicks: 2 } as const;

export interface TrackedParts {
  readonly opens: boolean;
  readonly clicks: boolean;
}

export function trackedNumber({ opens, clicks }: TrackedParts): number {
  return (opens ? TRACKED.opens : 0) + (clicks ? TRACKED.clicks : 0);
}

/** What is tracked of a message. */
export function trackedParts(
  { tracking }: Pick<WorkspaceSettings, 'tracking'>,
  contentType: ContentType,
): TrackedParts {
  const isMeant = tracking !== undefined && (contentType === 'promotional' || tracking.transactional);
  return { opens: isMeant && tracking.opens, clicks: isMeant && tracking.clicks };
}
