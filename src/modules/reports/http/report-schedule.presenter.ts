/** A schedule in REST, and the classes that describe it in the OpenAPI document. */
import { ApiProperty } from '@nestjs/swagger';
import { DATE_RANGE_TYPES, FREQUENCIES, type ReportSchedule } from '../domain/schedule.js';
import { toStoredFormat } from '../domain/stored-report.js';

export class ReportRecipientResponse {
  @ApiProperty({ example: 'ada@example.com' }) email: string;
  @ApiProperty({ type: String, nullable: true, example: 'Ada' }) name: string | null;
}

export class ReportFormatResponse {
  @ApiProperty() chart_image: boolean;
  @ApiProperty() csv_attachment: boolean;
  @ApiProperty() kpi_only: boolean;
}

export class ReportScheduleResponse {
  @ApiProperty({ format: 'uuid' }) report_id: string;
  @ApiProperty({ enum: FREQUENCIES }) frequency: string;
  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: '0 (Monday) to 6 (Sunday). Null unless the schedule is weekly.',
  })
  day_of_week: number | null;
  @ApiProperty({ type: 'integer', nullable: true }) day_of_month: number | null;
  @ApiProperty({ type: 'integer', example: 9 }) hour: number;
  @ApiProperty({ example: 'Europe/Berlin' }) timezone: string;
  @ApiProperty({ enum: DATE_RANGE_TYPES }) date_range_type: string;
  @ApiProperty({ type: [ReportRecipientResponse] }) recipients: readonly ReportRecipientResponse[];
  @ApiProperty({ type: ReportFormatResponse }) format_options: ReportFormatResponse;
  @ApiProperty() is_active: boolean;
  @ApiProperty({
    format: 'date-time',
    description: 'When the report is sent next. For a paused schedule, when it would be sent if resumed now.',
  })
  next_send_at: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true }) last_sent_at: string | null;
  @ApiProperty({ format: 'date-time' }) created_at: string;
  @ApiProperty({ format: 'date-time' }) updated_at: string;
}

export function presentSchedule(schedule: ReportSchedule): ReportScheduleResponse {
  return {
    report_id: schedule.reportId,
    frequency: schedule.frequency,
    day_of_week: schedule.dayOfWeek,
    day_of_month: schedule.dayOfMonth,
    hour: schedule.hour,
    timezone: schedule.timezone,
    date_range_type: schedule.dateRangeType,
    recipients: schedule.recipients,
    format_options: toStoredFormat(schedule.formatOptions),
    is_active: schedule.isActive,
    next_send_at: schedule.nextSendAt.toISOString(),
    last_sent_at: schedule.lastSentAt?.toISOString() ?? null,
    created_at: schedule.createdAt.toISOString(),
    updated_at: schedule.updatedAt.toISOString(),
  };
}
