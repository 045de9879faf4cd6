/**
 * One message to one recipient and its outcome: the ledger behind every send. The origin (domain/email-origin) is
 * unique, so a repeated job sends nothing twice. `sender` identifies the process that is sending the message.
 */
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import {
  moment,
  optionalMoment,
  optionalText,
  RECORD_ID,
  WORKSPACE_ID,
} from '../../../platform/database/tenant-columns.js';
import type { EmailOriginKind } from '../domain/email-origin.js';
import type { Hold } from '../domain/send-gates.js';

@Entity('email_logs')
@Index('email_logs_decided', { synchronize: false })
@Index('email_logs_queued', ['workspaceId', 'environment', 'priority', 'nextAttemptAt'], {
  where: "status = 'queued'",
})
@Index('email_logs_sending', ['workspaceId', 'environment', 'sender'], { where: "status = 'sending'" })
@Index('email_logs_of_origin', ['workspaceId', 'originId', 'originStep', 'origin', 'contactId'], {
  unique: true,
})
@Index('email_logs_failed', ['workspaceId', 'environment', 'sourceId', 'originStep', 'id'], {
  where: "status = 'failed' AND origin = 'trip'",
})
@Index('email_logs_by_id', ['id'])
@Index('email_logs_of_contact', ['workspaceId', 'contactId', 'environment', 'createdAt'])
@Index('email_logs_counted', ['workspaceId', 'contactId', 'environment', 'updatedAt'], { where: 'counts' })
@Index('email_logs_in_line', ['workspaceId', 'sourceId', 'environment', 'id'], {
  where: "status = 'queued' AND waits_for = 'throttle'",
})
@Index('email_logs_held', ['workspaceId', 'environment', 'id'], {
  where: "status = 'queued' AND waits_for IN ('send_window', 'do_not_disturb', 'sending_pause')",
})
@Index('email_logs_by_status', ['workspaceId', 'environment', 'status', 'id'], {
  where: "status IN ('suppressed', 'failed', 'unknown', 'cancelled')",
})
@Index('email_logs_of_source', ['workspaceId', 'sourceId', 'environment', 'id'], {
  where: 'source_id IS NOT NULL',
})
@Index('email_logs_of_tests', ['workspaceId', 'id'], { where: "environment = 'test'" })
@Index('email_logs_with_slot', ['workspaceId', 'sourceId', 'environment'], {
  where: "has_slot AND status IN ('queued', 'sending')",
})
@Index('email_logs_slots', ['workspaceId', 'sourceId', 'environment', 'slotAt'], {
  where: 'slot_at IS NOT NULL',
})
export class EmailLogEntity {
  @PrimaryColumn(WORKSPACE_ID) workspaceId: string;
  @PrimaryColumn(RECORD_ID) id: string;
  @Column({ type: 'text' }) environment: string;
  @Column({ name: 'source_id', type: 'uuid', nullable: true }) sourceId: string | null;
  @Column({ type: 'text' }) origin: EmailOriginKind;
  @Column({ name: 'origin_id', type: 'uuid' }) originId: string;
  @Column({ name: 'origin_step', type: 'integer' }) originStep: number;
  @Column({ name: 'contact_id', type: 'uuid' }) contactId: string;
  @Column({ name: 'trigger_event_id', type: 'uuid', nullable: true }) triggerEventId: string | null;
  @Column({ name: 'template_slug', type: 'text' }) templateSlug: string;
  @Column({ name: 'template_version', type: 'integer', nullable: true }) templateVersion: number | null;
  @Column({ name: 'content_type', type: 'text' }) contentType: string;
  /** 0 transactional, 1 promotional. Lower values go first. */
  @Column({ type: 'smallint' }) priority: number;
  /** What the step says about sending: its own subject, send settings. */
  @Column({ type: 'jsonb', default: {} }) options: Record<string, unknown>;
  @Column({ type: 'text' }) status: string;
  @Column(optionalText('to_email')) toEmail: string | null;
  @Column(optionalText('from_email')) fromEmail: string | null;
  @Column(optionalText('subject')) subject: string | null;
  @Column({ name: 'message_id', type: 'text' }) messageId: string;
  @Column({ type: 'integer', default: 0 }) attempts: number;
  /** How often the message was sent again because its outcome was unknown. */
  @Column({ type: 'integer', default: 0 }) reissues: number;
  @Column(moment('next_attempt_at')) nextAttemptAt: Date;
  /** The advisory-lock number of the process that is sending the message; null when none is. */
  @Column({ type: 'bigint', nullable: true }) sender: string | null;
  /**
   * The operator's name for the transport of the last attempt. Null before the first attempt and for suppressed
   * messages.
   */
  @Column({ type: 'text', nullable: true }) transport: string | null;
  @Column(optionalText('error_code')) errorCode: string | null;
  /** The server's answer, or the error that occurred before the server could answer. */
  @Column(optionalText('error_detail')) errorDetail: string | null;
  @Column(optionalText('suppressed_reason')) suppressedReason: string | null;
  @Column(moment('created_at')) createdAt: Date;
  @Column(moment('updated_at')) updatedAt: Date;
  @Column(optionalMoment('sent_at')) sentAt: Date | null;
  /** Whether it counts toward the workspace's frequency cap. */
  @Column({ type: 'boolean', default: false }) counts: boolean;
  /** The gate that holds the message while it is queued (domain/send-gates); null when none does. */
  @Column(optionalText('waits_for')) waitsFor: Hold | null;
  /** The end of the last hold by a gate. The time for attempts counts from here. */
  @Column(optionalMoment('held_until')) heldUntil: Date | null;
  /** Whether the message holds a slot of its source's throttle, which no other message can use. */
  @Column({ name: 'has_slot', type: 'boolean', default: false }) hasSlot: boolean;
  /**
   * When the message left, or may have left, and so used a slot of its source, throttled or not. The slot is free again
   * one period later. If the message is sent again, the earlier use is in `spent_slots`.
   */
  @Column(optionalMoment('slot_at')) slotAt: Date | null;
  /** Whether the message was cancelled while it was being sent. It is then not retried. */
  @Column({ name: 'called_off', type: 'boolean', default: false }) calledOff: boolean;
  /**
   * When the message was charged to the month's emails (limits); null while it is not. Failed and cancelled messages
   * are not charged.
   */
  @Column(optionalMoment('charged_at')) chargedAt: Date | null;
  /** Whether a person requested the message again. It is then sent regardless of the state of its trip. */
  @Column({ type: 'boolean', default: false }) insisted: boolean;
  /** The tracking that the message carried: 1 for opens, 2 for clicks, 3 for both. */
  @Column({ type: 'smallint', default: 0 }) tracked: number;
  /** The engagement after the message left (domain/engagement). */
  @Column(optionalMoment('delivered_at')) deliveredAt: Date | null;
  @Column(optionalMoment('opened_at')) openedAt: Date | null;
  @Column({ type: 'integer', default: 0 }) opens: number;
  @Column({ name: 'machine_opens', type: 'integer', default: 0 }) machineOpens: number;
  @Column(optionalMoment('clicked_at')) clickedAt: Date | null;
  @Column({ type: 'integer', default: 0 }) clicks: number;
  @Column({ name: 'machine_clicks', type: 'integer', default: 0 }) machineClicks: number;
  @Column({ name: 'click_marks', type: 'jsonb', default: [] }) clickMarks: unknown;
  @Column(optionalMoment('bounced_at')) bouncedAt: Date | null;
  @Column(optionalText('bounce_kind')) bounceKind: string | null;
  @Column(optionalText('bounce_code')) bounceCode: string | null;
  @Column(optionalText('bounce_detail')) bounceDetail: string | null;
  @Column(optionalMoment('complained_at')) complainedAt: Date | null;
  /** When the recipient used the message's unsubscribe link. */
  @Column(optionalMoment('unsubscribed_at')) unsubscribedAt: Date | null;
}
