/**
 * Message outcomes by source, template, kind, status and recipient domain, at the hour in which the outcome was
 * decided.
 */
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { moment, WORKSPACE_ID } from '../../../platform/database/tenant-columns.js';
import { RANDOM_ID, COUNTER_COLUMN, TOTAL_COLUMN } from './rollup-columns.js';

@Entity('email_rollups')
export class EmailRollupEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn({ type: 'text' }) environment: string;
  /** LEVELS of domain/rollup. */
  @PrimaryColumn({ type: 'smallint' }) level: number;
  /** The start of the day or the hour. */
  @PrimaryColumn(moment('at') as { type: 'timestamptz' }) at: Date;
  @PrimaryColumn({ name: 'source_id', type: 'uuid' }) sourceId: string;
  @PrimaryColumn({ name: 'template_slug', type: 'text' }) templateSlug: string;
  @PrimaryColumn({ name: 'content_type', type: 'text' }) contentType: string;
  @PrimaryColumn({ type: 'text' }) status: string;
  @PrimaryColumn({ type: 'text' }) domain: string;
  /** TRACKED of tracking/domain/tracking-settings. */
  @PrimaryColumn({ type: 'smallint' }) tracked: number;
  /** Whether the counted source rows have been deleted. A recount leaves these rows unchanged. */
  @PrimaryColumn({ type: 'boolean' }) retired: boolean;
  @Column(TOTAL_COLUMN) messages: string;
  @Column(TOTAL_COLUMN) delivered: string;
  @Column(TOTAL_COLUMN) opened: string;
  @Column(TOTAL_COLUMN) clicked: string;
  @Column(TOTAL_COLUMN) bounced: string;
  @Column(TOTAL_COLUMN) complained: string;
  @Column(TOTAL_COLUMN) unsubscribed: string;
}

/** Deltas that transactions have written and that are not in the rollups yet. */
@Entity('email_changes')
export class EmailDeltaEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn({ type: 'text' }) environment: string;
  @PrimaryColumn(RANDOM_ID) id: string;
  /** The start of the hour. */
  @Column(moment('at')) at: Date;
  @Column({ name: 'source_id', type: 'uuid' }) sourceId: string;
  @Column({ name: 'template_slug', type: 'text' }) templateSlug: string;
  @Column({ name: 'content_type', type: 'text' }) contentType: string;
  @Column({ type: 'text' }) status: string;
  @Column({ type: 'text' }) domain: string;
  @Column({ type: 'smallint', default: 0 }) tracked: number;
  @Column({ type: 'boolean', default: false }) retired: boolean;
  @Column(COUNTER_COLUMN) messages: number;
  @Column(COUNTER_COLUMN) delivered: number;
  @Column(COUNTER_COLUMN) opened: number;
  @Column(COUNTER_COLUMN) clicked: number;
  @Column(COUNTER_COLUMN) bounced: number;
  @Column(COUNTER_COLUMN) complained: number;
  @Column(COUNTER_COLUMN) unsubscribed: number;
}
