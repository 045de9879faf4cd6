/**
 * The state machine of a flow, section 3.2, as data: which action is allowed in which status, and the status it leads
 * to.
 */
import type { FlowStatus } from './flow.js';

/** Actions on an existing flow. */
export type FlowAction = 'activate' | 'pause' | 'stop' | 'archive';

/** Actions that are possible on many flows in one request. */
export const BULK_ACTIONS = ['activate', 'pause', 'stop'] as const;
export type BulkAction = (typeof BULK_ACTIONS)[number];

interface Transition {
  readonly from: readonly FlowStatus[];
  readonly to: FlowStatus;
}

/** create: draft, version 1, unless the plan's limit is reached. */
export const FIRST_STATUS: FlowStatus = 'draft';

export const FLOW_TRANSITIONS: Readonly<Record<FlowAction, Transition>> = {
  /** All send_email templates free of syntax errors; eligible for incoming events immediately. */
  activate: { from: ['draft', 'paused', 'stopped'], to: 'active' },
  /** No new trips; those in flight continue to completion. */
  pause: { from: ['active'], to: 'paused' },
  /** Version snapshot first; all trips in progress are terminated immediately. */
  stop: { from: ['active'], to: 'stopped' },
  /** Version snapshot first, which also records the status for unarchive; no trips in flight. */
  archive: { from: ['draft', 'paused', 'stopped'], to: 'archived' },
};

/** Statuses in which a version may be restored. This is checked first, and `force` does not override it. */
export const RESTORABLE: readonly FlowStatus[] = ['draft', 'paused', 'stopped'];

/** The status after the action; undefined if the action is not allowed in this status. */
export function nextStatus(status: FlowStatus, action: FlowAction): FlowStatus | undefined {
  const { from, to } = FLOW_TRANSITIONS[action];
  return from.includes(status) ? to : undefined;
}
