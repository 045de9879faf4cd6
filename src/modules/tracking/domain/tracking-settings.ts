/** Which tracking applies to a workspace's mail; by default none. */
import type { ContentType } from '../../../kernel/email-settings.js';
import type { WorkspaceSettings } from '../../workspaces/domain/workspace.js';

/** The tracking in a message, as one number: the sum of these. */
export const TRACKING_BITS = { opens: 1, clicks: 2 } as const;

export interface TrackedParts {
  readonly opens: boolean;
  readonly clicks: boolean;
}

export function trackingBitsOf({ opens, clicks }: TrackedParts): number {
  return (opens ? TRACKING_BITS.opens : 0) + (clicks ? TRACKING_BITS.clicks : 0);
}

/** Which tracking applies to a message. */
export function trackedParts(
  { tracking }: Pick<WorkspaceSettings, 'tracking'>,
  contentType: ContentType,
): TrackedParts {
  const isTracked = tracking !== undefined && (contentType === 'promotional' || tracking.transactional);
  return { opens: isTracked && tracking.opens, clicks: isTracked && tracking.clicks };
}
