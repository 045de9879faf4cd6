/** The outcome counters of an instance by variant. Each person counts once. */
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { WORKSPACE_ID } from '../../../platform/database/tenant-columns.js';

const COUNT = { type: 'integer', default: 0 } as const;

@Entity('campaign_tallies')
export class CampaignCounterEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @Column({ type: 'text' }) environment: string;
  @PrimaryColumn({ name: 'instance_id', type: 'uuid' }) instanceId: string;
  @PrimaryColumn({ type: 'smallint' }) variant: number;
  /** TRACKED of tracking/domain/tracking-settings: the tracking that the messages carried. */
  @PrimaryColumn({ type: 'smallint' }) tracked: number;
  @Column(COUNT) sent: number;
  @Column(COUNT) failed: number;
  @Column(COUNT) suppressed: number;
  @Column(COUNT) cancelled: number;
  @Column(COUNT) unknown: number;
  @Column(COUNT) delivered: number;
  @Column(COUNT) opened: number;
  @Column(COUNT) clicked: number;
  @Column(COUNT) bounced: number;
  @Column({ ...COUNT, name: 'spam_reports' }) spamReports: number;
  @Column(COUNT) unsubscribed: number;
  @Column({ ...COUNT, name: 'machine_opened' }) machineOpened: number;
  @Column({ ...COUNT, name: 'machine_clicked' }) machineClicked: number;
  @Column({ ...COUNT, name: 'in_test' }) inTest: number;
  @Column(COUNT) conversions: number;
}
