/** What a flow is, section 2.3. */
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

/** That a flow came to a status, and when. */
export interface StatusChange {
  readonly status: FlowStatus;
  readonly since: Date;
}

/** What of an active flow decides whether an event starts a trip. */
export type ListeningFlow = Pick<
  Flow,
  'id' | 'version' | 'triggerEvent' | 'triggerConditions' | 'segmentId' | 'settings'
>;

/** What a person decides about a flow when making it; the rest is the service's. */
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
  /** Without ids: those are given when the flow is saved. */
  readonly steps: readonly NewStep[];
};

/** What a person changes about a flow; what is left out stays. */
export type FlowUpdate = Partial<NewFlow>;
