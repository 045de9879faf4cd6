/** The states of a flow, section 3.2, as data: what may be done in which state, and what becomes of it. */
import type { FlowStatus } from './flow.js';

/** What people do to a flow that exists. */
export type FlowAction = 'activate' | 'pause' | 'stop';

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
};

/** The status after the action; undefined when it is not possible in this one. */
export function nextStatus(status: FlowStatus, action: FlowAction): FlowStatus | undefined {
  const { from, to } = FLOW_TRANSITIONS[action];
  return from.includes(status) ? to : undefined;
}
