/** UTC days whose messages the provider reported as delivered, opened or clicked. */
import { Entity, PrimaryColumn } from 'typeorm';
import { WORKSPACE_ID } from '../../../platform/database/tenant-columns.js';

@Entity('provider_event_days')
export class ProviderEventDayEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn({ type: 'text' }) environment: string;
  @PrimaryColumn({ type: 'text' }) kind: string;
  @PrimaryColumn({ type: 'date' }) day: string;
}
