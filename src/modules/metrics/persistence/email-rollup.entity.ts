/**
 * Message outcomes by source, template, kind, status and recipient domain, at the hour in which the outcome was
 * decided.
 */
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { moment, WORKSPACE_ID } from '../../../platform/database/tenant-columns.js';
import { CHANGE_ID, CHANGED_BY, SUM } from './rollup-columns.js';

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
  @Column(SUM) messages: string;
  @Column(SUM) delivered: string;
  @Column(SUM) opened: string;
  @Column(SUM) clicked: string;
  @Column(SUM) bounced: string;
  @Column(SUM) complained: string;
  @Column(SUM) unsubscribed: string;
}

/** Deltas that transactions have written and that are not in the rollups yet. */
@Entity('email_changes')
export class EmailChangeEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn({ type: 'text' }) environment: string;
  @PrimaryColumn(CHANGE_ID) id: string;
  /** The start of the hour. */
  @Column(moment('at')) at: Date;
  @Column({ name: 'source_id', type: 'uuid' }) sourceId: string;
  @Column({ name: 'template_slug', type: 'text' }) templateSlug: string;
  @Column({ name: 'content_type', type: 'text' }) contentType: string;
  @Column({ type: 'text' }) status: string;
  @Column({ type: 'text' }) domain: string;
  @Column({ type: 'smallint', default: 0 }) tracked: number;
  @Column({ type: 'boolean', default: false }) retired: boolean;
  @Column(CHANGED_BY) messages: number;
  @Column(CHANGED_BY) delivered: number;
  @Column(CHANGED_BY) opened: number;
  @Column(CHANGED_BY) clicked: number;
  @Column(CHANGED_BY) bounced: number;
  @Column(CHANGED_BY) complained: number;
  @Column(CHANGED_BY) unsubscribed: number;
}
