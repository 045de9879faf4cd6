/** The end of a workspace: ordered by its owner, who can think better of it for a while. */
import { DAY, HOUR } from '../../../kernel/duration.js';

/** Milliseconds between the order and the deletion. */
export const DELETION_GRACE = 14 * DAY;

/**
 * Milliseconds between the deletion of all that a workspace has and that of its own row, behind which a second look finds what
 * others were about to write.
 */
export const SECOND_LOOK = HOUR;

/** What a workspace that is to be deleted is read-only for. */
export const TO_BE_DELETED = 'to_be_deleted';

/** Whether somebody has typed the workspace's name, which nobody does by mistake. */
export function isNameTyped(typed: string, name: string): boolean {
  return typed.trim().normalize() === name.trim().normalize();
}
