/**
 * Graceful shutdown of the HTTP server: it first reports that it is not ready, so that load balancers stop sending
 * requests, then completes the accepted requests, then closes. No accepted request is dropped.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ReadinessState } from '../telemetry/readiness-state.js';

export interface DrainTimes {
  /** How long it serves requests while it reports not ready, in milliseconds. */
  readonly notReadyMs: number;
  /** After that, how long requests may take to complete before their connections are closed, in milliseconds. */
  readonly forceCloseAfterMs: number;
}

/** Together well within the ten seconds that a process may take to shut down. */
export const DRAIN_TIMES: DrainTimes = { notReadyMs: 1_500, forceCloseAfterMs: 6_000 };

/** Drains the application's HTTP server, then closes the application. */
export async function drain(app: NestFastifyApplication, times: DrainTimes = DRAIN_TIMES): Promise<void> {
  app.get(ReadinessState).markDraining();
  await sleep(times.notReadyMs);
  const instance = app.getHttpAdapter().getInstance();
  const forceClose = setTimeout(() => instance.server.closeAllConnections(), times.forceCloseAfterMs);
  try {
    // Before the modules are destroyed, because requests in flight still use them.
    await instance.close();
  } finally {
    clearTimeout(forceClose);
  }
  await app.close();
}
