/** The states of a flow, section 3.2, as data: what may be done in which state, and what becomes of it. */
import type { FlowStatus } from './flow.js';

/** What people do to a flow that exists. */
export type FlowAction = 'activate' | 'pause' | 'stop' | 'archive';

/** What may be done with many flows at once. */
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
  /** Version snapshot first, which also says where an unarchived flow comes back to; no trips in flight. */
  archive: { from: ['draft', 'paused', 'stopped'], to: 'archived' },
};

/** In which statuses a version may be restored: the first that is asked, and `force` does not help. */
export const RESTORABLE: readonly FlowStatus[] = ['draft', 'paused', 'stopped'];

/** The status after the action; undefined when it is not possible in this one. */
export function nextStatus(status: FlowStatus, action: FlowAction): FlowStatus | undefined {
  const { from, to } = FLOW_TRANSITIONS[action];
  return from.includes(status) ? to : undefined;
}
