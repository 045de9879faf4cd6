/** The deletion of a workspace: its owner orders it, and can cancel it during a grace period. */
import { DAY, HOUR } from '../../../kernel/duration.js';

/** Milliseconds between the order and the deletion. */
export const DELETION_GRACE_MS = 14 * DAY;

/**
 * Milliseconds between the deletion of a workspace's data and that of its own row, before which a second pass deletes
 * what other transactions wrote meanwhile.
 */
export const SECOND_PASS_DELAY_MS = HOUR;

/** The reason why a workspace to be deleted is read-only. */
export const DELETION_SUSPENDED_REASON = 'to_be_deleted';

/** Whether the typed text is the workspace's name, which is unlikely to be typed by mistake. */
export function matchesName(typed: string, name: string): boolean {
  return typed.trim().normalize() === name.trim().normalize();
}
