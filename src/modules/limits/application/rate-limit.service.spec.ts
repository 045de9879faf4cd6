/** Who shares which window (section 8.1), in a single process. */
import type { KeyPrincipal, MemberPrincipal } from '../../../kernel/principal.js';
import { Metrics } from '../../../platform/telemetry/metrics.js';
import type { KnownCaller } from '../domain/caller.js';
import { classOf, type EndpointClass } from '../domain/endpoint.js';
import { assertAllowed, type RateDecision, rateHeaders } from '../domain/rate-decision.js';
import { NetworkRates } from './network-rates.js';
import { LocalWindows } from './local-windows.js';
import { RateLimitService } from './rate-limit.service.js';

const NOW = 1_700_000_000_000;
const WORKSPACE = '0190a5d2-7c3e-7b61-9a3e-4f5f0c0fface';
const general = classOf('GET', '/v1/flows')!;
const events = classOf('POST', '/v1/events')!;
const send = classOf('POST', '/v1/send')!;
const exportCsv = classOf('GET', '/v1/analytics/export')!;

const key = (fields: Partial<KeyPrincipal> = {}): KeyPrincipal => ({
  kind: 'api_key',
  workspaceId: WORKSPACE,
  environment: 'live',
  plan: 'free',
  customRates: {},
  keyId: 'k1',
  scope: 'full',
  rateLimitPerMinute: null,
  ...fields,
});
const member = (fields: Partial<MemberPrincipal> = {}): MemberPrincipal => ({
  kind: 'member',
  workspaceId: WORKSPACE,
  environment: 'live',
  plan: 'free',
  customRates: {},
  memberId: 'm1',
  subject: 's1',
  email: 'a@b.c',
  role: 'owner',
  ...fields,
});

let time: number;
let service: RateLimitService;
let metrics: Metrics;
beforeEach(() => {
  time = NOW;
  metrics = new Metrics();
  service = new RateLimitService(new LocalWindows(() => time), metrics);
});

function check(caller: KnownCaller, endpoint: EndpointClass): RateDecision {
  const decision = service.check(caller, endpoint);
  if (decision instanceof Promise) throw new Error('Who serves alone waits for nobody.');
  return decision;
}

/** Returns how many of `tries` requests pass. */
function passed(caller: KnownCaller, endpoint: EndpointClass, tries: number): number {
  return Array.from({ length: tries }, () => check(caller, endpoint)).filter(({ allowed }) => allowed).length;
}

describe('keys', () => {
  test('have a window each, whatever they ask, and share one for each group of the workspace', () => {
    expect(passed(key(), general, 70)).toBe(60);
    expect(passed(key(), events, 1)).toBe(0);
    expect(passed(key({ keyId: 'k2' }), general, 70)).toBe(40);
    expect(passed(key({ keyId: 'k2' }), events, 70)).toBe(20);
    expect(passed(key({ keyId: 'k3' }), general, 1)).toBe(0);
    expect(passed(key({ keyId: 'k3' }), send, 70)).toBe(60);
    expect(passed(key({ workspaceId: 'other', keyId: 'k4' }), general, 70)).toBe(60);
  });

  test('are told of the window that has less room', () => {
    expect(check(key(), general)).toMatchObject({ limit: 60, remaining: 59 });
    passed(key({ keyId: 'k2' }), general, 50);
    expect(check(key(), general)).toMatchObject({ limit: 100, remaining: 48 });
    expect(check(key({ keyId: 'k2' }), general)).toMatchObject({ limit: 60, remaining: 9 });
  });

  test('have an hour too', () => {
    let total = 0;
    for (let minute = 0; minute < 30; minute++, time += 61_000) total += passed(key(), events, 60);
    expect(total).toBe(1_000);
    const refused = check(key(), events);
    expect(refused).toMatchObject({ allowed: false, limit: 1_000, window: 'key' });
    expect(refused.retryAfter).toBeGreaterThan(60);
  });

  test('have a minute of their own where one is set, above the plan’s and below its highest window', () => {
    const slow = key({ rateLimitPerMinute: 5 });
    expect(passed(slow, general, 3)).toBe(3);
    expect(passed(slow, events, 9)).toBe(2);
    expect(check(slow, general)).toMatchObject({ allowed: false, limit: 5, remaining: 0 });
    const fast = key({ workspaceId: 'other', keyId: 'k2', rateLimitPerMinute: 50_000, plan: 'starter' });
    expect(passed(fast, events, 6_000)).toBe(5_000);
  });

  test('what is refused for one window is not counted in the others', () => {
    expect(passed(key({ rateLimitPerMinute: 1 }), general, 500)).toBe(1);
    expect(passed(key({ keyId: 'k2' }), general, 39)).toBe(39);
    expect(passed(key({ keyId: 'k3' }), general, 500)).toBe(60);
  });

  test('of an unlimited plan are told a great number', () => {
    const { reset, ...decision } = check(key({ plan: 'enterprise' }), events);
    expect(decision).toEqual({
      allowed: true,
      limit: 2_147_483_647,
      remaining: 2_147_483_647,
      retryAfter: 0,
      window: undefined,
    });
    expect(reset).toBeGreaterThan(Date.now() / 1_000);
  });

  test('an unknown plan is free', () => {
    expect(passed(key({ plan: 'platinum' }), general, 70)).toBe(60);
  });
});

describe('rates of a workspace of its own', () => {
  const custom = { perMinute: 10, perHour: 30, events: 15 };

  test('hold on the plan that leaves them open', () => {
    const one = key({ plan: 'enterprise', customRates: custom });
    expect(passed(one, general, 20)).toBe(10);
    expect(passed({ ...one, keyId: 'k2' }, events, 20)).toBe(10);
    expect(passed({ ...one, keyId: 'k3' }, events, 20)).toBe(5);
    expect(passed({ ...one, keyId: 'k4', rateLimitPerMinute: 1_000 }, events, 20)).toBe(0);
    expect(passed(member({ plan: 'enterprise', customRates: custom }), general, 20)).toBe(10);
  });

  test('and on no other', () => {
    expect(
      passed(key({ plan: 'free', customRates: { perMinute: 5_000, general: 5_000 } }), general, 70),
    ).toBe(60);
  });
});

describe('members', () => {
  test('have a window each, whatever the workspace, which its keys do not share', () => {
    expect(passed(key(), general, 60)).toBe(60);
    expect(passed(key({ keyId: 'k2' }), general, 60)).toBe(40);
    expect(passed(member(), general, 40)).toBe(40);
    expect(passed(member({ workspaceId: 'other' }), general, 40)).toBe(20);
    expect(passed(member({ subject: 's2' }), general, 80)).toBe(60);
  });

  test('have an hour too', () => {
    let total = 0;
    for (let minute = 0; minute < 30; minute++, time += 61_000) total += passed(member(), general, 60);
    expect(total).toBe(1_000);
  });

  test('people of whom no workspace is known have the limits of free', () => {
    expect(passed({ kind: 'person', subject: 's1' }, general, 80)).toBe(60);
    expect(passed(member(), general, 80)).toBe(60);
  });
});

describe('networks', () => {
  const anonymous = (network: string) => ({ kind: 'stranger', network }) as const;
  let networks: NetworkRates;
  beforeEach(() => (networks = new NetworkRates(metrics)));
  const through = (caller: Parameters<NetworkRates['check']>[0], tries: number): number =>
    Array.from({ length: tries }, () => networks.check(caller, NOW)).filter(({ allowed }) => allowed).length;

  test('strangers, and those who are not known to be right, have a window each for every one', () => {
    expect(through(anonymous('192.0.2.1'), 150)).toBe(100);
    expect(through(anonymous('192.0.2.2'), 150)).toBe(100);
    expect(through({ kind: 'unproven', network: '192.0.2.1' }, 150)).toBe(100);
  });

  test('who only looks is not counted', () => {
    for (let i = 0; i < 200; i++) networks.peek(anonymous('192.0.2.1'), NOW);
    expect(networks.peek(anonymous('192.0.2.1'), NOW)).toMatchObject({ allowed: true, remaining: 100 });
    expect(through(anonymous('192.0.2.1'), 150)).toBe(100);
    expect(networks.peek(anonymous('192.0.2.1'), NOW)).toMatchObject({ allowed: false, remaining: 0 });
  });

  test('a flood of them makes room among networks alone', () => {
    passed(key(), general, 60);
    for (let i = 0; i < 50_000; i++) networks.check(anonymous(`n${i}`), NOW);
    expect(passed(key(), general, 1)).toBe(0);
  });
});

test('a single endpoint has a limit for the whole workspace, and a window of its own length', () => {
  const big = { plan: 'enterprise' };
  expect(passed(member(big), exportCsv, 9)).toBe(5);
  const refused = check(key(big), exportCsv);
  expect(refused).toMatchObject({ allowed: false, window: 'endpoint' });
  expect(refused.retryAfter).toBeGreaterThan(3_500);
  time += 3_700_000;
  expect(passed(member(big), exportCsv, 9)).toBe(5);
});

test('headers and refusal carry the figures, and refusals are counted by their window', async () => {
  const first = check(key(), general);
  expect(rateHeaders(first)).toEqual({
    'x-ratelimit-limit': 60,
    'x-ratelimit-remaining': 59,
    'x-ratelimit-reset': first.reset,
  });
  expect(first.reset).toBeGreaterThanOrEqual(NOW / 1_000 + 60);
  passed(key(), general, 59);
  time += 10_000;
  const refused = check(key(), general);
  expect(refused.retryAfter).toBeGreaterThanOrEqual(50);
  expect(refused.retryAfter).toBeLessThanOrEqual(51);
  expect(() => assertAllowed(first)).not.toThrow();
  expect(() => assertAllowed(refused)).toThrow('rate_limit_exceeded');
  const { values } = await metrics.rateLimited.get();
  expect(values).toEqual([{ labels: { window: 'key' }, value: 1 }]);
});
