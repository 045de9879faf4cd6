/** What a flow is, section 2.3. */
import type { Step } from './step.js';

export type FlowStatus = 'draft' | 'active' | 'paused' | 'stopped' | 'archived';

export type ContentType = 'transactional' | 'promotional';

export interface FlowSettings {
  readonly reentry_policy: 'never' | 'after_completion' | 'always' | 'cooldown';
  readonly reentry_cooldown_days: number | null;
  readonly throttle_enabled: boolean;
  readonly throttle_limit: number | null;
  readonly throttle_period: 'hour' | 'day' | null;
}

export interface Flow {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly triggerEvent: string;
  readonly triggerConditions: Readonly<Record<string, unknown>>;
  readonly segmentId: string | null;
  readonly steps: readonly Step[];
  readonly contentType: ContentType;
  readonly status: FlowStatus;
  readonly version: number;
  readonly tags: readonly string[];
  readonly settings: FlowSettings;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}
