import { Registry } from 'prom-client';
import type { Metrics } from '../../../platform/telemetry/metrics.js';
import { MetricsController } from './metrics.controller.js';

const TOKEN = 'a'.repeat(32);
const NEXT_TOKEN = 'b'.repeat(32);

function controllerOf(metricsTokens: readonly string[], production: boolean) {
  const registry = new Registry();
  let written = 0;
  registry.registerMetric({
    get: () => ({
      help: 'written',
      name: 'written',
      type: 'counter',
      values: [{ value: ++written, labels: {} }],
    }),
    name: 'written',
  } as never);
  const controller = new MetricsController({ registry } as Metrics, { metricsTokens, production });
  return { controller, written: () => written };
}

test('outside of production everybody reads them where no token is set', async () => {
  expect(await controllerOf([], false).controller.read(undefined)).toContain('written 1');
});

test('in production there are none without a token', async () => {
  const { controller, written } = controllerOf([], true);
  await expect(controller.read(`Bearer ${TOKEN}`)).rejects.toMatchObject({ code: 'not_found' });
  expect(written()).toBe(0);
});

test.each([TOKEN, NEXT_TOKEN])('who brings one of the tokens reads them', async (token) => {
  const { controller } = controllerOf([TOKEN, NEXT_TOKEN], true);
  expect(await controller.read(`bearer ${token}`)).toContain('written 1');
});

test.each([
  ['nothing', undefined, 'missing_token'],
  ['another scheme', `Basic ${TOKEN}`, 'missing_token'],
  ['no token', 'Bearer ', 'missing_token'],
  ['another token', `Bearer ${'c'.repeat(32)}`, 'invalid_token'],
  ['the beginning of one', `Bearer ${TOKEN.slice(1)}`, 'invalid_token'],
])('who brings %s reads none', async (_, authorization, code) => {
  for (const production of [true, false]) {
    const { controller, written } = controllerOf([TOKEN], production);
    await expect(controller.read(authorization)).rejects.toMatchObject({ code });
    expect(written()).toBe(0);
  }
});

test('those who ask at once share one text', async () => {
  const { controller, written } = controllerOf([], false);
  await Promise.all(Array.from({ length: 60 }, () => controller.read(undefined)));
  expect(written()).toBe(2);
});
