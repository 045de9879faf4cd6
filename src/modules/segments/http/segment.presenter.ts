/** An evaluation in REST. */
import { ApiProperty } from '@nestjs/swagger';
import type { EvaluatedSegment } from '../application/segment-evaluation.service.js';

/** Response of POST /v1/segments/{id}/evaluate. */
export class SegmentEvaluationResponse {
  @ApiProperty({ format: 'uuid' }) segment_id: string;
  @ApiProperty({ type: 'integer', example: 1 }) count: number;
  @ApiProperty({
    type: [String],
    maxItems: 100,
    description: 'IDs of the newest contacts in the segment, newest first.',
    example: ['0190a5d2-7c3e-7b61-9a3e-4f5f0c0fface'],
  })
  sample: readonly string[];
  @ApiProperty({ format: 'date-time' }) evaluated_at: string;
}

export function presentEvaluation(evaluated: EvaluatedSegment): SegmentEvaluationResponse {
  const { segmentId, count, sample, evaluatedAt } = evaluated;
  return { segment_id: segmentId, count, sample, evaluated_at: evaluatedAt.toISOString() };
}
