/** What a test of variants has shown, as REST shows it. */
import { ApiProperty } from '@nestjs/swagger';
import { snakeKeys } from '../../../kernel/letter-case.js';
import { MeasuredResponse } from '../../metrics/http/measured.presenter.js';
import type { AbResults } from '../application/campaign-ab-tests.js';
import { AB_METRICS } from '../domain/ab-test.js';
import { AB_WARNINGS, type AbWarning } from '../domain/ab-warnings.js';

const count = { type: 'integer' } as const;
const rate = { type: Number, example: 42.31, description: 'A percentage.' } as const;
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
  @ApiProperty({ ...rate, description: 'A percentage of what was sent and has arrived.' }) rate: number;
  @ApiProperty({
    ...{ type: [Number], minItems: 2, maxItems: 2, example: [38.2, 46.5] },
    description: 'Between what the true rate lies, 19 times of 20.',
  })
  interval: readonly number[];
  @ApiProperty({
    type: MeasuredResponse,
    description:
      'For how many of the messages that did not bounce the metric was measured. If `measured` is 0 and `of` is not, the rate is unknown and shown as 0.',
  })
  measured: MeasuredResponse;
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
  @ApiProperty({ type: HoldoutResponse, nullable: true, description: 'Null where nobody is held out.' })
  holdout: HoldoutResponse | null;
  @ApiProperty({ ...text, description: 'The name of the variant that was decided for.' })
  winner: string | null;
  @ApiProperty({ type: String, enum: ['automatic', 'manual'], nullable: true }) decided_by: string | null;
  @ApiProperty({
    ...{ type: String, enum: ['metric_not_measured', null], nullable: true },
    description: 'Why the numbers have not decided, and `ab-send-winner` has to; else null.',
  })
  undecided_reason: string | null;
  @ApiProperty({ type: [AbWarningResponse], description: 'Why the A/B test may give no meaningful result.' })
  ab_test_warnings: readonly AbWarningResponse[];
  @ApiProperty({
    ...{ type: Number, nullable: true, example: 0.031 },
    description: 'How probable it is that the best two differ as much by chance; null without data.',
  })
  p_value: number | null;
  @ApiProperty({ description: 'Whether that is below 0.05.' }) significant: boolean;
  @ApiProperty({ ...count, description: 'Contacts that wait for the winner, or to whom it is on its way.' })
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

/** `ab_test_warnings`, where there are any. */
export function presentAbWarnings(warnings: readonly AbWarning[]): {
  ab_test_warnings?: AbWarningResponse[];
} {
  return warnings.length === 0 ? {} : { ab_test_warnings: [...warnings] };
}
