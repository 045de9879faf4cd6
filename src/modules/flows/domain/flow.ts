/** The record of a flow, section 2.3. */
import type { ContentType } from '../../../kernel/email-settings.js';
import type { JsonObject } from '../../../kernel/json.js';
import type { NewStep, Step } from './step.js';

export const FLOW_STATUSES = ['draft', 'active', 'paused', 'stopped', 'archived'] as const;
export type FlowStatus = (typeof FLOW_STATUSES)[number];

export interface FlowSettings {
  readonly reentryPolicy: 'never' | 'after_completion' | 'always' | 'cooldown';
  readonly reentryCooldownDays: number | null;
  readonly throttleEnabled: boolean;
  readonly throttleLimit: number | null;
  readonly throttlePeriod: 'hour' | 'day' | null;
}

export interface Flow {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly triggerEvent: string;
  readonly triggerConditions: JsonObject;
  readonly segmentId: string | null;
  readonly steps: readonly Step[];
  /** The highest id that a step of the flow has ever had. */
  readonly lastStepId: number;
  readonly contentType: ContentType;
  readonly status: FlowStatus;
  readonly version: number;
  readonly tags: readonly string[];
  readonly settings: FlowSettings;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A status that a flow changed to, and when. */
export interface StatusChange {
  readonly status: FlowStatus;
  readonly since: Date;
}

/** The fields of an active flow that decide whether an event starts a trip. */
export type ListeningFlow = Pick<
  Flow,
  'id' | 'version' | 'triggerEvent' | 'triggerConditions' | 'segmentId' | 'settings'
>;

/** What a person sets when creating a flow; the service sets the rest. */
export type NewFlow = Pick<
  Flow,
  | 'name'
  | 'description'
  | 'triggerEvent'
  | 'triggerConditions'
  | 'segmentId'
  | 'contentType'
  | 'tags'
  | 'settings'
> & {
  /** Without ids: they are assigned when the flow is saved. */
  readonly steps: readonly NewStep[];
};

/** What a person changes in a flow; omitted fields do not change. */
export type FlowUpdate = Partial<NewFlow>;
