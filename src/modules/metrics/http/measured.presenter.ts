/** How much of what a metric covers was measured, in REST. */
import { ApiProperty } from '@nestjs/swagger';

const count = { type: 'integer' } as const;

export class MeasuredResponse {
  @ApiProperty({ ...count, description: 'Messages for which this was tracked or reported by the provider.' })
  measured: number;
  @ApiProperty({ ...count, description: 'All relevant messages.' }) of: number;
}

/** If `measured` is 0 and `of` is not, the value is unknown and shown as 0. */
export class MeasuredEmailsResponse {
  @ApiProperty({ type: MeasuredResponse, description: 'For `delivered`, out of all sent messages.' })
  deliveries: MeasuredResponse;
  @ApiProperty({
    type: MeasuredResponse,
    description: 'For `opened` and the open rate, out of sent messages that did not bounce.',
  })
  opens: MeasuredResponse;
  @ApiProperty({
    type: MeasuredResponse,
    description: 'For `clicked` and the click rate, out of sent messages that did not bounce.',
  })
  clicks: MeasuredResponse;
}
