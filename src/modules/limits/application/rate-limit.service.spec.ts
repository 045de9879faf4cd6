/** The reading of the two schemes of section 8.1: who shares which window. */
import type { KeyPrincipal, MemberPrincipal } from '../../../kernel/principal.js';
import { classOf } from '../domain/endpoint.js';
import { assertAllowed, RateLimitService, rateHeaders } from './rate-limit.service.js';

const NOW = 1_700_000_000_000;
const WORKSPACE = '0190a5d2-7c3e-7b61-9a3e-4f5f0c0fface';
const general = classOf('GET', '/v1/flows')!;
const events = classOf('POST', '/v1/events')!;
const exportCsv = classOf('GET', '/v1/analytics/export')!;

const key = (fields: Partial<KeyPrincipal> = {}): KeyPrincipal => ({
  kind: 'api_key',
  workspaceId: WORKSPACE,
  environment: 'live',
  plan: 'free',
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
  memberId: 'm1',
  subject: 's1',
  email: 'a@b.c',
  role: 'owner',
  ...fields,
});

/** How many of `tries` requests pass. */
function passed(
  service: RateLimitService,
  ask: Parameters<RateLimitService['check']>,
  tries: number,
): number {
  return Array.from({ length: tries }, () => service.check(...ask)).filter(({ allowed }) => allowed).length;
}

describe('keys', () => {
  test('share a window for each group of the workspace', () => {
    const service = new RateLimitService();
    expect(passed(service, [key(), general, NOW], 70)).toBe(70);
    expect(passed(service, [key({ keyId: 'k2' }), general, NOW], 70)).toBe(30);
    expect(passed(service, [key(), events, NOW], 1_100)).toBe(1_000);
    expect(passed(service, [key({ workspaceId: 'other' }), general, NOW], 1)).toBe(1);
  });

  test('have a limit of their own where one is set, which counts all groups', () => {
    const service = new RateLimitService();
    const slow = key({ rateLimitPerMinute: 5 });
    expect(passed(service, [slow, general, NOW], 3)).toBe(3);
    expect(passed(service, [slow, events, NOW], 9)).toBe(2);
    expect(service.check(slow, general, NOW)).toMatchObject({ allowed: false, limit: 5, remaining: 0 });
  });

  test('what is refused for one window is not counted in the others', () => {
    const service = new RateLimitService();
    expect(passed(service, [key({ rateLimitPerMinute: 1 }), general, NOW], 500)).toBe(1);
    expect(passed(service, [key({ keyId: 'k2' }), general, NOW], 500)).toBe(99);
  });

  test('of an unlimited plan are told a great number', () => {
    expect(new RateLimitService().check(key({ plan: 'enterprise' }), events, NOW)).toEqual({
      allowed: true,
      limit: 2_147_483_647,
      remaining: 2_147_483_647,
      reset: NOW / 1_000 + 60,
      retryAfter: 0,
    });
  });
});

describe('members', () => {
  test('have a window each, whatever the workspace', () => {
    const service = new RateLimitService();
    expect(passed(service, [member(), general, NOW], 40)).toBe(40);
    expect(passed(service, [member({ workspaceId: 'other' }), general, NOW], 40)).toBe(20);
    expect(passed(service, [member({ subject: 's2' }), general, NOW], 80)).toBe(60);
  });

  test('have an hour too', () => {
    const service = new RateLimitService();
    let total = 0;
    for (let minute = 0; minute < 30; minute++)
      total += passed(service, [member(), general, NOW + minute * 61_000], 60);
    expect(total).toBe(1_000);
  });
});

test('strangers, and those who are not known to be right, have a window each for every network', () => {
  const service = new RateLimitService();
  const stranger = (network: string) => ({ kind: 'stranger', network }) as const;
  const unproven = (network: string) => ({ kind: 'unproven', network }) as const;
  expect(passed(service, [stranger('192.0.2.1'), general, NOW], 150)).toBe(100);
  expect(passed(service, [stranger('192.0.2.2'), events, NOW], 150)).toBe(100);
  expect(passed(service, [unproven('192.0.2.1'), undefined, NOW], 150)).toBe(100);
});

test('who only looks is not counted', () => {
  const service = new RateLimitService();
  const stranger = { kind: 'stranger', network: '192.0.2.1' } as const;
  for (let i = 0; i < 200; i++) service.look(stranger, general, NOW);
  expect(service.look(stranger, general, NOW)).toMatchObject({ allowed: true, remaining: 100 });
  expect(passed(service, [stranger, general, NOW], 150)).toBe(100);
  expect(service.look(stranger, general, NOW)).toMatchObject({ allowed: false, remaining: 0 });
});

test('a flood of networks makes room among networks alone', () => {
  const service = new RateLimitService();
  passed(service, [key(), general, NOW], 100);
  for (let i = 0; i < 50_000; i++) service.check({ kind: 'stranger', network: `n${i}` }, general, NOW);
  expect(passed(service, [key(), general, NOW], 1)).toBe(0);
});

test('a single endpoint has a limit for the whole workspace, and a window of its own length', () => {
  const service = new RateLimitService();
  const big = { plan: 'enterprise' };
  expect(passed(service, [member(big), exportCsv, NOW], 9)).toBe(5);
  const refused = service.check(member({ ...big, subject: 's2' }), exportCsv, NOW);
  expect(refused.allowed).toBe(false);
  expect(refused.retryAfter).toBeGreaterThan(3_500);
  expect(passed(service, [member(big), exportCsv, NOW + 3_700_000], 9)).toBe(5);
});

test('headers and refusal carry the figures', () => {
  const service = new RateLimitService();
  const first = service.check(key(), general, NOW);
  expect(rateHeaders(first)).toEqual({
    'x-ratelimit-limit': 100,
    'x-ratelimit-remaining': 99,
    'x-ratelimit-reset': first.reset,
  });
  expect(first.reset).toBeGreaterThanOrEqual(NOW / 1_000 + 60);
  passed(service, [key(), general, NOW], 99);
  const refused = service.check(key(), general, NOW + 10_000);
  expect(refused.retryAfter).toBeGreaterThanOrEqual(50);
  expect(refused.retryAfter).toBeLessThanOrEqual(51);
  expect(() => assertAllowed(first)).not.toThrow();
  expect(() => assertAllowed(refused)).toThrow('rate_limit_exceeded');
});
