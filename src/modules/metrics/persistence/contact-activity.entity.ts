/** On which days and in which weeks contacts were active, opened and clicked. */
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { WORKSPACE_ID } from '../../../platform/database/tenant-columns.js';
import { COUNTER_COLUMN } from './rollup-columns.js';

@Entity('contact_activity')
export class ContactActivityEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn({ type: 'text' }) environment: string;
  /** 0: by day; 1: by week, starting on Monday. */
  @PrimaryColumn({ type: 'smallint' }) level: number;
  /** The first day of the period. */
  @PrimaryColumn({ type: 'date' }) start: string;
  @PrimaryColumn({ name: 'contact_id', type: 'uuid' }) contactId: string;
  /** The UTC day on which the contact was created. */
  @Column({ name: 'created_on', type: 'date' }) createdOn: string;
  /** 1 if the contact had any event in the period, else 0. The other two are numbers of messages. */
  @Column(COUNTER_COLUMN) events: number;
  @Column(COUNTER_COLUMN) opened: number;
  @Column(COUNTER_COLUMN) clicked: number;
}
