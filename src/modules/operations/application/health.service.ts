/** Checks the health of this process and of each service that it depends on, for load balancers and people. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { ReadinessState } from '../../../platform/telemetry/readiness-state.js';
import { QueueConnection } from '../../../platform/queue/queue.module.js';

/** A dependency that takes longer to respond counts as down, in milliseconds. */
const CHECK_TIMEOUT_MS = 2_000;

export type PartState = 'up' | 'down';

export interface HealthReport {
  readonly ready: boolean;
  /** `starting`, `ready` or `draining`. */
  readonly phase: string;
  readonly checks: { readonly database: PartState; readonly queue: PartState };
}

@Injectable()
export class HealthService {
  constructor(
    private readonly readiness: ReadinessState,
    private readonly database: Database,
    private readonly queue: QueueConnection,
  ) {}

  /** Checks all dependencies concurrently. Never rejects. */
  async report(): Promise<HealthReport> {
    const [database, queue] = await Promise.all([
      stateOf(() => this.database.ping()),
      stateOf(() => this.queue.ping()),
    ]);
    const { phase } = this.readiness;
    return {
      ready: phase === 'ready' && database === 'up' && queue === 'up',
      phase,
      checks: { database, queue },
    };
  }
}

async function stateOf(ping: () => Promise<void>): Promise<PartState> {
  const cancel = new AbortController();
  const up = ping().then(
    () => 'up' as const,
    () => 'down' as const,
  );
  const timeout = sleep(CHECK_TIMEOUT_MS, 'down' as const, { signal: cancel.signal }).catch(
    () => 'down' as const,
  );
  const state = await Promise.race([up, timeout]);
  cancel.abort();
  return state;
}
