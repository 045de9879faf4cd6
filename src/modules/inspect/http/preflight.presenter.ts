/** The answer of preflight as REST shows it (section 4.3), and the classes that describe it in the OpenAPI document. */
import { ApiProperty } from '@nestjs/swagger';
import { PREFLIGHT_SEVERITIES, type Preflight } from '../domain/preflight/preflight-answer.js';
import { FINDING_CODES } from '../domain/rules/catalogue.js';
import { PREFLIGHT_CATEGORIES } from '../domain/rules/rule.js';

/** A finding of preflight. */
export class PreflightItemResponse {
  @ApiProperty({ enum: PREFLIGHT_CATEGORIES, example: 'links' }) category: string;

  @ApiProperty({ example: 'The link “href="/shop"” is relative, which does not work in an email.' })
  message: string;

  @ApiProperty({ enum: PREFLIGHT_SEVERITIES, example: 'error' }) severity: string;

  @ApiProperty({
    enum: FINDING_CODES,
    example: 'LK003',
    description: 'A stable code. New codes may be added.',
  })
  code: string;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    example: 7,
    description: 'Line in body_html, starting at 1. Null if there is no position.',
  })
  line: number | null;

  @ApiProperty({ type: 'integer', nullable: true, example: 4 }) column: number | null;

  @ApiProperty({
    example: 'Use the full address, starting with https://.',
    description: 'How to fix it.',
  })
  hint: string;
}

/** The findings of preflight in a template. */
export class PreflightResponse {
  @ApiProperty({ description: 'True if there are no errors.' }) pass: boolean;
  @ApiProperty({ type: [PreflightItemResponse] }) errors: readonly PreflightItemResponse[];
  @ApiProperty({ type: [PreflightItemResponse] }) warnings: readonly PreflightItemResponse[];
  @ApiProperty({ type: [PreflightItemResponse] }) info: readonly PreflightItemResponse[];
}

export function presentPreflight({ pass, errors, warnings, info }: Preflight): PreflightResponse {
  return { pass, errors, warnings, info };
}
