/** How much of what a figure is about was measured, as REST shows it. */
import { ApiProperty } from '@nestjs/swagger';

const count = { type: 'integer' } as const;

export class MeasuredResponse {
  @ApiProperty({ ...count, description: 'Messages of which it would be known.' }) measured: number;
  @ApiProperty({ ...count, description: 'All messages that it is about.' }) of: number;
}

/** 0 of more than 0: the figures that go by it say nothing, and are 0 for want of a number. */
export class MeasuredEmailsResponse {
  @ApiProperty({ type: MeasuredResponse, description: '`delivered`, of what was sent.' })
  deliveries: MeasuredResponse;
  @ApiProperty({ type: MeasuredResponse, description: '`opened` and the open rate, of sent less bounced.' })
  opens: MeasuredResponse;
  @ApiProperty({ type: MeasuredResponse, description: '`clicked` and the click rate, of sent less bounced.' })
  clicks: MeasuredResponse;
}
