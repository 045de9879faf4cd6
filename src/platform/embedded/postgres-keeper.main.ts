/**
 * The supervisor: a small process between the service and PostgreSQL. Its standard input is a pipe that closes when the
 * service ends in any way. Then, or on a signal, it shuts PostgreSQL down and exits. It restarts a server that ended
 * unexpectedly, at the same address, unless that happens repeatedly. The first input line is the request; standard
 * output carries responses as JSON lines.
 */
import { createInterface } from 'node:readline';
import { ConfigError } from '../config/config.js';
import { launchPostgres, type LaunchedPostgres } from './embedded-postgres.js';
import type { SupervisorMessage, SupervisorRequest } from './postgres-keeper.js';

/** Maximum restarts within this number of milliseconds. After that the supervisor gives up and the service ends. */
const MAX_RESTARTS = 3;
const RESTART_WINDOW_MS = 60_000;

const stop = new AbortController();
let hasStarted = false;
const stopped = new Promise<undefined>((resolve) => {
  stop.signal.addEventListener('abort', () => resolve(undefined), { once: true });
});
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => stop.abort());
// The reader of the last responses may be gone.
process.stdout.on('error', () => stop.abort());
process.stdin.on('error', () => stop.abort());

const input = createInterface({ input: process.stdin });
input.once('close', () => stop.abort());
input.once('line', (line) => {
  void supervise(JSON.parse(line) as SupervisorRequest).then((code) => process.exit(code));
});
void stopped.then(() => {
  if (!hasStarted) process.exit(0);
});

async function supervise(request: SupervisorRequest): Promise<number> {
  hasStarted = true;
  try {
    const server = await launchPostgres({ ...request, signal: stop.signal });
    send({ type: 'ready', url: server.url });
    return await restartOnExit(request, server);
  } catch (error) {
    if (stop.signal.aborted) return 0;
    const message = error instanceof Error ? error.message : String(error);
    send({ type: 'failed', operatorsError: error instanceof ConfigError, message });
    return 1;
  }
}

/** Supervises the server until it should stop or fails repeatedly. Returns the exit code. */
async function restartOnExit(request: SupervisorRequest, first: LaunchedPostgres): Promise<number> {
  // The service and other processes already use the address.
  const settings = { ...request.settings, port: new URL(first.url).port };
  let restarts: number[] = [];
  for (let server = first; ;) {
    const ended = await Promise.race([stopped, server.exited]);
    if (ended === undefined) {
      await server.stop();
      return 0;
    }
    const now = performance.now();
    restarts = [...restarts.filter((moment) => moment > now - RESTART_WINDOW_MS), now];
    if (restarts.length > MAX_RESTARTS) {
      send({ type: 'ended', message: ended });
      return 1;
    }
    try {
      server = await launchPostgres({ ...request, settings, signal: stop.signal });
    } catch (error) {
      if (stop.signal.aborted) return 0;
      send({
        type: 'ended',
        message: `${ended}; ${error instanceof Error ? error.message : String(error)}`,
      });
      return 1;
    }
    send({ type: 'restarted', message: ended });
  }
}

function send(message: SupervisorMessage): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}
