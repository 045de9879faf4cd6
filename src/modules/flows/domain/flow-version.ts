/** A snapshot of a flow before it changed, section 2.4. The audience is not part of it. */
import type { Flow } from './flow.js';

/** What a snapshot preserves; a restored flow gets all of it back. */
export type FlowContent = Pick<
  Flow,
  | 'name'
  | 'description'
  | 'triggerEvent'
  | 'triggerConditions'
  | 'steps'
  | 'contentType'
  | 'tags'
  | 'settings'
>;

/** A snapshot without its steps, for lists in the dashboard. */
export interface FlowVersionSummary extends Omit<FlowContent, 'steps'> {
  readonly id: string;
  readonly flowId: string;
  /** The flow's version that it preserves; several snapshots may have the same number. */
  readonly version: number;
  readonly statusAtSnapshot: Flow['status'];
  readonly changedBy: string;
  readonly changeSummary: string | null;
  readonly createdAt: Date;
}

export type FlowVersion = FlowVersionSummary & FlowContent;

/** Options for restoring a version. */
export interface RestoreOptions {
  /** Null: a default text that names the restored version. */
  readonly changeSummary: string | null;
  /** Whether to restore even if trips are in flight. */
  readonly force: boolean;
}

const MAX_VERSION = 2_147_483_647;

/** The version number in a path; undefined if the text is not a version number. */
export function versionNumberOf(text: string): number | undefined {
  if (!/^[1-9]\d{0,9}$/.test(text)) return undefined;
  const number = Number(text);
  return number <= MAX_VERSION ? number : undefined;
}
