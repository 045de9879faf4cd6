/** Whether this process accepts requests: GET /health/ready reports it to load balancers, also before a shutdown. */
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

  /** The process is about to close: send it no new work. */
  markDraining(): void {
    this.current = 'draining';
  }
}
