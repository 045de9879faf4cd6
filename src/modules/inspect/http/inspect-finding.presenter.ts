/** Findings as REST shows them (section 4.7), and the classes that describe them in the OpenAPI document. */
import { ApiProperty } from '@nestjs/swagger';
import { FINDING_STATUSES } from '../domain/findings/finding-mark.js';
import type { FindingPage, PublicFinding } from '../domain/findings/inspect-finding.js';
import { RENDER_CLIENTS } from '../domain/rendering/render-client.js';
import { FINDING_CATEGORIES, FINDING_SEVERITIES } from '../domain/rules/rule.js';

/** A finding of a run. */
export class InspectFindingResponse {
  @ApiProperty({ format: 'uuid' }) id: string;
  @ApiProperty({ format: 'uuid' }) job_id: string;
  @ApiProperty({ example: 'LK001', description: 'A stable code. New codes may be added.' }) code: string;
  @ApiProperty({ enum: FINDING_CATEGORIES }) category: string;
  @ApiProperty({ enum: FINDING_SEVERITIES }) severity: string;
  @ApiProperty({ example: 'Link without an address' }) title: string;
  @ApiProperty() message: string;
  @ApiProperty({ description: 'How to fix it.' }) fix: string;
  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Line in the stored body_html, starting at 1. Null if the finding has no position.',
  })
  line: number | null;
  @ApiProperty({ type: 'integer', nullable: true }) column: number | null;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'An excerpt that contains the element; at most 1,000 characters.',
  })
  snippet: string | null;
  @ApiProperty({
    enum: RENDER_CLIENTS,
    isArray: true,
    description: 'The affected mail programs. Empty if all are affected.',
  })
  clients: readonly string[];
  @ApiProperty({ enum: FINDING_STATUSES, description: 'The current status.' }) status: string;
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) snoozed_until: Date | null;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The reason given when the finding was snoozed or marked. Null if none was given.',
  })
  reason: string | null;
}

/** A page of a run's findings, most severe first. */
export class InspectFindingListResponse {
  @ApiProperty({ type: [InspectFindingResponse] }) findings: readonly InspectFindingResponse[];
  @ApiProperty({ type: 'integer', description: 'Number of findings that match the filter.' }) total: number;
  @ApiProperty({ type: 'integer' }) limit: number;
  @ApiProperty({ type: 'integer' }) offset: number;
}

export function presentFinding(finding: PublicFinding): InspectFindingResponse {
  const { id, jobId, code, category, severity, title, message, fix, line, column, snippet, clients } =
    finding;
  const { status, snoozedUntil, reason } = finding;
  return {
    ...{ id, job_id: jobId, code, category, severity, title, message, fix, line, column, snippet, clients },
    ...{ status, snoozed_until: snoozedUntil, reason },
  };
}

export function presentFindingPage(
  { findings, total }: FindingPage,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): InspectFindingListResponse {
  return { findings: findings.map(presentFinding), total, limit, offset };
}
