/** Responses of the health routes, for the documentation. */
import { ApiProperty } from '@nestjs/swagger';
import type { HealthReport, PartState } from '../application/health.service.js';

export class AliveResponse {
  @ApiProperty({ example: 'ok' }) status: string;
}

class HealthChecks {
  @ApiProperty({ enum: ['up', 'down'], example: 'up' }) database: PartState;
  @ApiProperty({ enum: ['up', 'down'], example: 'up' }) queue: PartState;
}

export class HealthResponse {
  @ApiProperty({ enum: ['ok', 'unavailable'], example: 'ok' }) status: string;
  @ApiProperty({ enum: ['starting', 'ready', 'draining'], example: 'ready' }) phase: string;
  @ApiProperty({ type: HealthChecks }) checks: HealthChecks;
}

export class WholeHealthResponse extends HealthResponse {
  @ApiProperty({ example: '0.1.0', description: 'The running release.' }) version: string;
}

export function healthResponse({ ready, phase, checks }: HealthReport): HealthResponse {
  return { status: ready ? 'ok' : 'unavailable', phase, checks };
}
