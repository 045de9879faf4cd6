/** How much of what a figure is about was measured, as REST shows it. */
import { ApiProperty } from '@nestjs/swagger';

const count = { type: 'integer' } as const;

export class MeasuredResponse {
  @ApiProperty({ ...count, description: 'Messages for which this was tracked or reported by the provider.' })
  measured: number;
  @ApiProperty({ ...count, description: 'All messages in question.' }) of: number;
}

/** Where `measured` is 0 and `of` is not, the figure is unknown and shown as 0. */
export class MeasuredEmailsResponse {
  @ApiProperty({ type: MeasuredResponse, description: '`delivered`, of what was sent.' })
  deliveries: MeasuredResponse;
  @ApiProperty({ type: MeasuredResponse, description: '`opened` and the open rate, of sent less bounced.' })
  opens: MeasuredResponse;
  @ApiProperty({ type: MeasuredResponse, description: '`clicked` and the click rate, of sent less bounced.' })
  clicks: MeasuredResponse;
}
