/** The health of the process in REST. */
import { oneOf, Out, Output } from '../../../platform/output/output-class.js';
import type { HealthReport } from '../application/health.service.js';

@Output({ rest: 'AliveResponse' })
export class AliveOutput {
  @Out('String', { example: 'ok' }) status: string;
}

@Output({ rest: 'HealthChecks' })
class HealthChecksOutput {
  @Out(oneOf(['up', 'down']), { example: 'up' }) database: string;
  @Out(oneOf(['up', 'down']), { example: 'up' }) queue: string;
}

@Output({ rest: 'HealthResponse' })
export class HealthOutput {
  @Out(oneOf(['ok', 'unavailable']), { example: 'ok' }) status: string;
  @Out(oneOf(['starting', 'ready', 'draining']), { example: 'ready' }) phase: string;
  @Out(HealthChecksOutput) checks: HealthChecksOutput;
}

@Output({ rest: 'WholeHealthResponse' })
export class WholeHealthOutput extends HealthOutput {
  @Out('String', { example: '0.1.0', description: 'The running release.' }) version: string;
}

export function healthOutput({ ready, phase, checks }: HealthReport): HealthOutput {
  return { status: ready ? 'ok' : 'unavailable', phase, checks };
}
