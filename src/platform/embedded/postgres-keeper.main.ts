/**
 * The supervisor: a small process between the service and PostgreSQL. Its standard input is a pipe that closes when the
 * service ends in any way. Then, or on a signal, it shuts PostgreSQL down and exits. It restarts a server that ended
 * unexpectedly, at the same address, unless that happens repeatedly. The first input line is the request; standard
 * output carries responses as JSON lines.
 */
import { createInterface } from 'node:readline';
import { ConfigError } from '../config/config.js';
import { launchPostgres, type LaunchedPostgres } from './embedded-postgres.js';
import type { KeeperAnswer, KeeperOrder } from './postgres-keeper.js';

/** Maximum restarts within this number of milliseconds. After that the supervisor gives up and the service ends. */
const MOST_RESTARTS = 3;
const RESTARTS_WITHIN_MS = 60_000;

const stop = new AbortController();
let begun = false;
const stopped = new Promise<undefined>((resolve) => {
  stop.signal.addEventListener('abort', () => resolve(undefined), { once: true });
});
for (const word of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(word, () => stop.abort());
// The reader of the last responses may be gone.
process.stdout.on('error', () => stop.abort());
process.stdin.on('error', () => stop.abort());

const input = createInterface({ input: process.stdin });
input.once('close', () => stop.abort());
input.once('line', (line) => {
  void keep(JSON.parse(line) as KeeperOrder).then((code) => process.exit(code));
});
void stopped.then(() => {
  if (!begun) process.exit(0);
});

async function keep(order: KeeperOrder): Promise<number> {
  begun = true;
  try {
    const server = await launchPostgres({ ...order, signal: stop.signal });
    answer({ type: 'ready', url: server.url });
    return await accompany(order, server);
  } catch (error) {
    if (stop.signal.aborted) return 0;
    const message = error instanceof Error ? error.message : String(error);
    answer({ type: 'failed', operatorsError: error instanceof ConfigError, message });
    return 1;
  }
}

/** Supervises the server until it should stop or fails repeatedly. Returns the exit code. */
async function accompany(order: KeeperOrder, first: LaunchedPostgres): Promise<number> {
  // The service and other processes already use the address.
  const settings = { ...order.settings, port: new URL(first.url).port };
  let restarts: number[] = [];
  for (let server = first; ;) {
    const ended = await Promise.race([stopped, server.exited]);
    if (ended === undefined) {
      await server.stop();
      return 0;
    }
    const now = performance.now();
    restarts = [...restarts.filter((moment) => moment > now - RESTARTS_WITHIN_MS), now];
    if (restarts.length > MOST_RESTARTS) {
      answer({ type: 'ended', message: ended });
      return 1;
    }
    try {
      server = await launchPostgres({ ...order, settings, signal: stop.signal });
    } catch (error) {
      if (stop.signal.aborted) return 0;
      answer({
        type: 'ended',
        message: `${ended}; ${error instanceof Error ? error.message : String(error)}`,
      });
      return 1;
    }
    answer({ type: 'restarted', message: ended });
  }
}

function answer(message: KeeperAnswer): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}
