/**
 * How the HTTP face of a process ends: it first says that it is not ready, so that load balancers turn away, then
 * answers what it has taken, then closes. Nothing that was accepted is dropped.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ReadinessState } from '../telemetry/readiness-state.js';

export interface DrainTimes {
  /** How long it answers while it says that it is not ready, in milliseconds. */
  readonly notReadyMs: number;
  /** After that, how long requests may take to end before their connections are cut, in milliseconds. */
  readonly cutAfterMs: number;
}

/** Together well within the ten seconds that a process may take to end. */
export const DRAIN_TIMES: DrainTimes = { notReadyMs: 1_500, cutAfterMs: 6_000 };

/** Drains the application's HTTP server and then closes the application. */
export async function drain(app: NestFastifyApplication, times: DrainTimes = DRAIN_TIMES): Promise<void> {
  app.get(ReadinessState).markDraining();
  await sleep(times.notReadyMs);
  const instance = app.getHttpAdapter().getInstance();
  const cut = setTimeout(() => instance.server.closeAllConnections(), times.cutAfterMs);
  try {
    // Before the modules are destroyed, since requests in flight still use them.
    await instance.close();
  } finally {
    clearTimeout(cut);
  }
  await app.close();
}
