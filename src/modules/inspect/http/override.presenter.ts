/** Overrides, checks, and errors and warnings of the gate as REST shows them (section 4.7). */
import { ApiProperty } from '@nestjs/swagger';
import { snakeKeys } from '../../../kernel/letter-case.js';
import type { NewOverride } from '../application/override.service.js';
import { PRE_SEND_REASONS, type PreSendAnswer } from '../application/pre-send-check.js';
import type { GateNotice } from '../domain/gate/gate.js';
import { BLOCKINGS } from '../domain/runs/inspect-config.js';
import { FINDING_CODES } from '../domain/rules/catalogue.js';
import { InspectFindingResponse, presentFinding } from './inspect-finding.presenter.js';

/** The errors of the gate before sending. */
export const GATE_ERRORS = ['inspection_blocked', 'service_unavailable'] as const;

const nullableInteger = { type: 'integer', nullable: true } as const;

export class InspectOverrideResponse {
  @ApiProperty({ description: 'Returned only once. Valid for this version only.' }) token: string;
  @ApiProperty({ example: 'welcome' }) template_slug: string;
  @ApiProperty({ type: 'integer', example: 3 }) template_version: number;
  @ApiProperty({ format: 'date-time', description: '24 hours after the token was created.' })
  expires_at: string;
}

export class PreSendCheckResponse {
  @ApiProperty({ description: 'Can only be false if blocking is set to `block`.' }) can_send: boolean;
  @ApiProperty({ enum: BLOCKINGS, description: 'The blocking setting of the workspace.' }) blocking: string;
  @ApiProperty({
    type: String,
    nullable: true,
    enum: [...PRE_SEND_REASONS, null],
    description: 'What is wrong with the current version. Null if nothing is.',
  })
  reason: string | null;
  @ApiProperty({ type: [InspectFindingResponse], description: 'Open critical findings, at most 100.' })
  findings: readonly InspectFindingResponse[];
  @ApiProperty({
    ...nullableInteger,
    example: 64,
    description: 'Score of the current version, 0 to 100. Null if it was never inspected.',
  })
  score: number | null;
  @ApiProperty({ type: 'integer', example: 3 }) template_version: number;
  @ApiProperty({
    ...nullableInteger,
    example: 3,
    description: 'The version that was last inspected. Null if there is none.',
  })
  inspected_version: number | null;
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) last_inspected_at: string | null;
  @ApiProperty({ description: 'Whether the given token allows the current version to be sent.' })
  overridden: boolean;
}

/** A finding in a template that is sent nevertheless, under `warn`. */
export class InspectWarningResponse {
  @ApiProperty({ example: 'welcome' }) template_slug: string;
  @ApiProperty({ enum: FINDING_CODES, example: 'SJ001' }) code: string;
  @ApiProperty() message: string;
  @ApiProperty(nullableInteger) line: number | null;
}

export function presentOverride({ expiresAt, ...override }: NewOverride): InspectOverrideResponse {
  return { ...snakeKeys(override), expires_at: expiresAt.toISOString() };
}

export function presentPreSendCheck(answer: PreSendAnswer): PreSendCheckResponse {
  const { findings, lastInspectedAt, ...rest } = answer;
  return {
    ...snakeKeys(rest),
    findings: findings.map(presentFinding),
    last_inspected_at: lastInspectedAt?.toISOString() ?? null,
  };
}

/** `warnings`, if there are any. */
export function presentWarnings(warnings: readonly GateNotice[]): {
  warnings?: InspectWarningResponse[];
} {
  if (warnings.length === 0) return {};
  return {
    warnings: warnings.map(({ templateSlug, code, message, line }) => ({
      template_slug: templateSlug,
      ...{ code, message, line },
    })),
  };
}
