/** The results of an A/B test in REST. */
import { ApiProperty } from '@nestjs/swagger';
import { snakeKeys } from '../../../kernel/letter-case.js';
import { MeasuredOutput } from '../../metrics/output/measured.output.js';
import type { AbResults } from '../application/campaign-ab-tests.js';
import { AB_METRICS } from '../domain/ab-test.js';
import { AB_WARNINGS, type AbWarning } from '../domain/ab-warnings.js';

const count = { type: 'integer' } as const;
const rate = { type: Number, example: 42.31, description: 'Percentage.' } as const;
const moment = { type: String, format: 'date-time', nullable: true } as const;
const text = { type: String, nullable: true } as const;

export class AbWarningResponse {
  @ApiProperty({ enum: AB_WARNINGS }) code: string;
  @ApiProperty() message: string;
}

class AbVariantResultsResponse {
  @ApiProperty({ example: 'A' }) name: string;
  @ApiProperty(text) subject: string | null;
  @ApiProperty({ ...text, format: 'uuid' }) template_id: string | null;
  @ApiProperty(count) recipients: number;
  @ApiProperty(count) sent: number;
  @ApiProperty(count) opened: number;
  @ApiProperty(count) clicked: number;
  @ApiProperty(count) conversions: number;
  @ApiProperty({ ...rate, description: 'Percentage of messages that were sent and did not bounce.' })
  rate: number;
  @ApiProperty({
    ...{ type: [Number], minItems: 2, maxItems: 2, example: [38.2, 46.5] },
    description: '95% confidence interval of the rate.',
  })
  interval: readonly number[];
  @ApiProperty({
    type: MeasuredOutput,
    description:
      'How many of the messages that did not bounce were measured for this metric. If `measured` is 0 and `of` ' +
      'is not, the rate is unknown and returned as 0.',
  })
  measured: MeasuredOutput;
}

class HoldoutResponse {
  @ApiProperty(count) recipients: number;
  @ApiProperty(count) conversions: number;
  @ApiProperty(rate) rate: number;
}

export class AbResultsResponse {
  @ApiProperty({ format: 'uuid' }) campaign_id: string;
  @ApiProperty({ enum: ['not_started', 'running', 'decided'] }) status: string;
  @ApiProperty({ enum: AB_METRICS }) metric: string;
  @ApiProperty(moment) started_at: string | null;
  @ApiProperty(moment) ends_at: string | null;
  @ApiProperty({ type: [AbVariantResultsResponse] }) variants: readonly AbVariantResultsResponse[];
  @ApiProperty({ type: HoldoutResponse, nullable: true, description: 'Null if there is no control group.' })
  holdout: HoldoutResponse | null;
  @ApiProperty({ ...text, description: 'The name of the winning variant. Null until one is chosen.' })
  winner: string | null;
  @ApiProperty({ type: String, enum: ['automatic', 'manual'], nullable: true }) decided_by: string | null;
  @ApiProperty({
    ...{ type: String, enum: ['metric_not_measured', null], nullable: true },
    description:
      'Why the test could not be decided and a winner must be chosen with `ab-send-winner`. Null otherwise.',
  })
  undecided_reason: string | null;
  @ApiProperty({
    type: [AbWarningResponse],
    description: 'Reasons why the A/B test may not give a meaningful result.',
  })
  ab_test_warnings: readonly AbWarningResponse[];
  @ApiProperty({
    ...{ type: Number, nullable: true, example: 0.031 },
    description: 'p-value of the difference between the two best variants. Null without data.',
  })
  p_value: number | null;
  @ApiProperty({ description: 'Whether the p-value is below 0.05.' }) significant: boolean;
  @ApiProperty({ ...count, description: 'Contacts who have not yet been sent the winner.' })
  remaining: number;
}

export function presentAbResults({ variants, startedAt, endsAt, ...results }: AbResults): AbResultsResponse {
  return {
    ...snakeKeys(results),
    started_at: startedAt?.toISOString() ?? null,
    ends_at: endsAt?.toISOString() ?? null,
    variants: variants.map(({ bounced: _bounced, rate, ...variant }) =>
      snakeKeys({ ...variant, rate: rate ?? 0 }),
    ),
  };
}

/** Returns `ab_test_warnings`, if there are any. */
export function presentAbWarnings(warnings: readonly AbWarning[]): {
  ab_test_warnings?: AbWarningResponse[];
} {
  return warnings.length === 0 ? {} : { ab_test_warnings: [...warnings] };
}
