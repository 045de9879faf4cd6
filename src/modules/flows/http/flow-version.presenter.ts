/** A version of a flow in REST (sections 2.4 and 4.2). */
import { CONTENT_TYPES } from '../../../kernel/email-settings.js';
import { ApiProperty } from '@nestjs/swagger';
import type { FlowVersion } from '../domain/flow-version.js';
import { FLOW_STATUSES } from '../domain/flow.js';
import { writtenSettings, writtenStep, type WrittenSettings } from '../domain/written-flow.js';
import { FlowSettingsInput } from '../input/flow.input.js';
import { STEP_LIST } from './flow.presenter.js';

export class FlowVersionResponse {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty({ format: 'uuid' }) flow_id: string;
  @ApiProperty({ type: 'integer', example: 1, description: 'The flow version saved in this snapshot.' })
  version: number;
  @ApiProperty({ example: 'Welcome' }) name: string;
  @ApiProperty() description: string;
  @ApiProperty({ example: 'signed_up' }) trigger_event: string;
  @ApiProperty({ type: Object }) trigger_conditions: object;
  @ApiProperty({ ...STEP_LIST, items: { ...STEP_LIST.items } }) steps: readonly object[];
  @ApiProperty({ enum: CONTENT_TYPES }) content_type: string;
  @ApiProperty({ enum: FLOW_STATUSES, description: 'The flow’s status when the snapshot was taken.' })
  status_at_snapshot: string;
  @ApiProperty({ description: 'A member ID, or `api_key:` followed by a key ID.' }) changed_by: string;
  @ApiProperty({ type: String, nullable: true, example: 'Shorter wait' }) change_summary: string | null;
  @ApiProperty({ type: [String] }) tags: readonly string[];
  @ApiProperty({ type: FlowSettingsInput }) settings: WrittenSettings;
  @ApiProperty({ format: 'date-time' }) created_at: string;
}

export function presentFlowVersion(version: FlowVersion): FlowVersionResponse {
  return {
    id: version.id,
    flow_id: version.flowId,
    version: version.version,
    name: version.name,
    description: version.description,
    trigger_event: version.triggerEvent,
    trigger_conditions: version.triggerConditions,
    steps: version.steps.map(writtenStep),
    content_type: version.contentType,
    status_at_snapshot: version.statusAtSnapshot,
    changed_by: version.changedBy,
    change_summary: version.changeSummary,
    tags: version.tags,
    settings: writtenSettings(version.settings),
    created_at: version.createdAt.toISOString(),
  };
}
