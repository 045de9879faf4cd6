/**
 * Hashed persons whose events retention has deleted, by hour and event, so that each still counts once; written by a
 * trigger on events.
 */
import { Entity, PrimaryColumn } from 'typeorm';
import { moment, WORKSPACE_ID } from '../../../platform/database/tenant-columns.js';

@Entity('event_people')
export class EventPersonEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn({ type: 'text' }) environment: string;
  @PrimaryColumn(moment('hour') as { type: 'timestamptz' }) hour: Date;
  @PrimaryColumn({ name: 'event_name', type: 'text' }) eventName: string;
  /** A digest of the external_id. */
  @PrimaryColumn({ type: 'uuid' }) person: string;
}
