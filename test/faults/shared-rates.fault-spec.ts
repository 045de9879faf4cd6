/**
 * Request rates that several API processes share: one key, one workspace and one user send as fast as they can to all
 * of them concurrently; and the same while the store of the rates is unavailable.
 */
import { OPERATOR_AUTHOR } from '../../src/kernel/principal.js';
import { WorkspaceRates } from '../../src/modules/workspaces/application/workspace-rates.js';
import { figure } from '../support/figure.js';
import { freePort, ServiceProcess } from '../support/service-process.js';
import { repetitions } from '../support/test-scope.js';
import { until } from '../support/until.js';
import { startWorkerFixture, type WorkerFixture } from '../support/worker-fixture.js';

const PROCESSES = repetitions({ short: 2, full: 8 });
/** Concurrent requests at each process. */
const AT_ONCE = 8;
const PERSON = repetitions({
  short: { plan: 'starter', limit: 300 },
  full: { plan: 'growth', limit: 1_000 },
});
/** A limit set by an operator. */
const GIVEN = repetitions({ short: 500, full: 2_000 });
/** Consecutive refusals of a process after which no process can hold an unused request any more. */
const REFUSALS = 100;
/** Milliseconds that a client pauses after a refusal. */
const REST = 100;
const EVENT = JSON.stringify({ external_id: 'x', event_name: 'x' });

let fixture: WorkerFixture;
let services: ServiceProcess[];
let urls: string[];

beforeAll(async () => {
  fixture = await startWorkerFixture({ LOG_LEVEL: 'warn' });
  services = [];
  urls = [];
  for (let i = 0; i < PROCESSES; i++) {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    services.push(await ServiceProcess.start('api', { ...fixture.env, PORT: String(port) }).ready(url));
    urls.push(url);
  }
});
afterAll(async () => {
  const exits = await Promise.all((services ?? []).map((service) => service.stop()));
  await fixture?.close();
  expect(exits.map(({ code }) => code)).toEqual(exits.map(() => 0));
});

interface Asked {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
}

/** Creates a workspace, with requests that use its key and its owner's token. */
async function workspaceOn(plan: string): Promise<{ id: string; asKey: Asked; asOwner: Asked }> {
  const { id, key, ownerToken } = await fixture.app.workspace({ plan });
  const json = { 'content-type': 'application/json', 'x-workspace-id': id };
  return {
    id,
    asKey: { path: '/v1/events', headers: { ...json, 'x-api-key': key }, body: EVENT },
    asOwner: { path: '/v1/flows', headers: { ...json, authorization: `Bearer ${ownerToken}` } },
  };
}

interface Outcome {
  /** Of each process. */
  readonly passed: number[];
  readonly refused: number;
  readonly milliseconds: number;
}

const HEADERS = ['limit', 'remaining', 'reset'].map((name) => `x-ratelimit-${name}`);

/** Sends requests to all processes until each has refused `refusals` in a row. */
async function hammer({ path, headers, body }: Asked, refusalsInARow = REFUSALS): Promise<Outcome> {
  const began = Date.now();
  let refused = 0;
  const unannounced: unknown[] = [];
  const passed = await Promise.all(
    urls.map(async (url) => {
      let count = 0;
      let inARow = 0;
      await Promise.all(
        Array.from({ length: AT_ONCE }, async () => {
          while (inARow < refusalsInARow) {
            const answer = await fetch(url + path, {
              method: body ? 'POST' : 'GET',
              headers,
              ...(body ? { body } : {}),
            });
            await answer.arrayBuffer();
            const announced = HEADERS.map((name) => answer.headers.get(name) ?? '');
            if (!announced.every((text) => /^\d+$/.test(text))) unannounced.push(announced);
            if (answer.ok) {
              count++;
              inARow = 0;
              continue;
            }
            const retryAfter = answer.headers.get('retry-after') ?? '';
            if (answer.status !== 429 || !/^[1-9]\d*$/.test(retryAfter))
              unannounced.push([answer.status, retryAfter]);
            refused++;
            inARow++;
            await new Promise((resolve) => setTimeout(resolve, REST));
          }
        }),
      );
      return count;
    }),
  );
  expect(unannounced).toEqual([]);
  return { passed, refused, milliseconds: Date.now() - began };
}

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

/** If the load runs for longer than a minute, requests that have left the window may be used again. */
const minutesOf = ({ milliseconds }: Outcome): number => 1 + Math.floor(milliseconds / 60_000);

test.each([
  ['a key', 'growth', 'asKey', 1_000],
  ['a person', PERSON.plan, 'asOwner', PERSON.limit],
  ['a key', 'free', 'asKey', 60],
] as const)(
  'processes that are asked at once by %s on %s let its limit pass',
  async (who, plan, as, limit) => {
    const outcome = await hammer((await workspaceOn(plan))[as]);
    const total = sum(outcome.passed);
    figure(
      `${who} on ${plan}: ${total} of ${minutesOf(outcome) * limit} passed in ${(outcome.milliseconds / 1_000).toFixed(1)} s ` +
        `(${Math.min(...outcome.passed)} to ${Math.max(...outcome.passed)} of a process), ${outcome.refused} were refused`,
    );
    expect(total).toBeGreaterThanOrEqual(limit * 0.95);
    expect(total).toBeLessThanOrEqual(minutesOf(outcome) * limit * 1.01);
  },
);

test('a workspace has the window that its operator gave it, however many processes', async () => {
  const { id, asKey } = await workspaceOn('enterprise');
  await fixture.app.app.get(WorkspaceRates).change({ workspaceId: id }, { events: GIVEN }, OPERATOR_AUTHOR);
  const outcome = await hammer(asKey);
  figure(`a workspace: ${sum(outcome.passed)} of ${GIVEN} passed, ${outcome.refused} were refused`);
  expect(sum(outcome.passed)).toBeGreaterThanOrEqual(GIVEN * 0.95);
  expect(sum(outcome.passed)).toBeLessThanOrEqual(minutesOf(outcome) * GIVEN * 1.01);
});

test('where the store is gone all are served, each process by its own count, and it is counted and logged', async () => {
  const { asOwner } = await workspaceOn('free');
  await fixture.database.query('ALTER FUNCTION take_rates RENAME TO taken_away');
  const outcome = await hammer(asOwner, REFUSALS / 4);
  for (const count of outcome.passed) expect(count).toBeGreaterThanOrEqual(60);
  const metrics = await Promise.all(
    urls.map((url) => fetch(`${url}/metrics`).then((answer) => answer.text())),
  );
  for (const text of metrics) expect(text).toMatch(/^waypost_rate_limit_store_failures_total [1-9]/m);
  for (const { output } of services)
    expect(output.match(/The rate-limit store is unavailable/g)).toHaveLength(1);
  await fixture.database.query('ALTER FUNCTION taken_away RENAME TO take_rates');
  const again = (await workspaceOn('growth')).asOwner;
  // Each process tries the store again within a second.
  await until('all count together again', async () => {
    const answers = await Promise.all(urls.map((url) => fetch(url + again.path, { headers: again.headers })));
    const left = answers.map(({ headers }) => headers.get('x-ratelimit-remaining'));
    return new Set(left).size === PROCESSES;
  });
});
