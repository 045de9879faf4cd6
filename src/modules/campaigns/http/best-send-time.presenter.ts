/** The best send time in REST, and the classes that describe it in the OpenAPI document. */
import { ApiProperty } from '@nestjs/swagger';
import { snakeKeys } from '../../../kernel/letter-case.js';
import { CONFIDENCES, LOOKBACK_DAYS, type BestSendTime } from '../domain/best-send-time.js';

class BasedOnResponse {
  @ApiProperty({ type: 'integer' }) opens: number;
  @ApiProperty({ type: 'integer' }) clicks: number;
  @ApiProperty({ type: 'integer', description: 'Contacts who opened or clicked.' }) contacts: number;
  @ApiProperty({ type: 'integer', example: LOOKBACK_DAYS }) days: number;
}

class ReadingHourResponse {
  @ApiProperty({ type: 'integer', description: '0 (Monday) to 6 (Sunday).' }) day_of_week: number;
  @ApiProperty({ type: 'integer' }) hour: number;
  @ApiProperty({ type: 'integer' }) opens: number;
  @ApiProperty({ type: 'integer' }) clicks: number;
}

/** When people read, and the best hour of the week. */
export class BestSendTimeResponse {
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'The next occurrence of the recommended hour. Null if there is not enough data.',
  })
  recommended_at: string | null;
  @ApiProperty({ type: 'integer', nullable: true, description: '0 (Monday) to 6 (Sunday).' }) day_of_week:
    number | null;
  @ApiProperty({ type: 'integer', nullable: true }) hour: number | null;
  @ApiProperty({ example: 'Europe/Berlin' }) timezone: string;
  @ApiProperty({ enum: CONFIDENCES }) confidence: string;
  @ApiProperty() based_on: BasedOnResponse;
  @ApiProperty({ type: [ReadingHourResponse], description: 'Hours without activity are omitted.' })
  histogram: readonly ReadingHourResponse[];
}

export function presentBestSendTime(best: BestSendTime): BestSendTimeResponse {
  return {
    ...snakeKeys(best),
    recommended_at: best.recommendedAt?.toISOString() ?? null,
    histogram: best.histogram.map(snakeKeys),
  };
}
