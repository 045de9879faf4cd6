/** Whether this process takes requests: what GET /health/ready tells a load balancer before a shutdown closes. */
import { Injectable } from '@nestjs/common';

type Phase = 'starting' | 'ready' | 'draining';

@Injectable()
export class ReadinessState {
  private current: Phase = 'starting';

  get phase(): Phase {
    return this.current;
  }

  get isDraining(): boolean {
    return this.current === 'draining';
  }

  /** The process listens. Has no effect once it drains. */
  markReady(): void {
    if (this.current === 'starting') this.current = 'ready';
  }

  /** The process is about to close: no new work should be sent to it. */
  markDraining(): void {
    this.current = 'draining';
  }
}
