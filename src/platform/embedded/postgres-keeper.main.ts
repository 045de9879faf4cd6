/**
 * The keeper: a small process between the service and PostgreSQL. Its standard input is a pipe from the service
 * that closes when the service ends, however it ends; then, or when told by a signal, the keeper shuts PostgreSQL
 * down and goes. The first line of the input is the order, standard output bears the answers, a JSON line each.
 */
import { createInterface } from 'node:readline';
import { ConfigError } from '../config/config.js';
import { launchPostgres } from './embedded-postgres.js';
import type { KeeperAnswer, KeeperOrder } from './postgres-keeper.js';

const stop = new AbortController();
let begun = false;
const stopped = new Promise<undefined>((resolve) => {
  stop.signal.addEventListener('abort', () => resolve(undefined), { once: true });
});
for (const word of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(word, () => stop.abort());
// Nobody may be left to hear the last answers.
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
    const ended = await Promise.race([stopped, server.exited]);
    if (ended !== undefined) answer({ type: 'ended', message: ended });
    await server.stop();
    return ended === undefined ? 0 : 1;
  } catch (error) {
    if (stop.signal.aborted) return 0;
    const message = error instanceof Error ? error.message : String(error);
    answer({ type: 'failed', operatorsError: error instanceof ConfigError, message });
    return 1;
  }
}

function answer(message: KeeperAnswer): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}
