/**
 * Bad credentials: how many look-ups a network has, however many run concurrently, and which callers still get
 * through.
 */
import { DomainError } from '../../../kernel/domain-error.js';
import { Metrics } from '../../../platform/telemetry/metrics.js';
import { NetworkRates } from '../../limits/application/network-rates.js';
import { type CredentialBearer, CredentialWindow } from './credential-window.js';

const wrong = (): Promise<never> => Promise.reject(new DomainError('invalid_api_key', 'No such key.'));
const codeOf = (asked: Promise<unknown>): Promise<string> =>
  asked.then(
    () => 'passed',
    (error: unknown) => (error instanceof DomainError ? error.code : String(error)),
  );
const countByCode = (codes: readonly string[]): Record<string, number> =>
  codes.reduce<Record<string, number>>((sum, code) => ({ ...sum, [code]: (sum[code] ?? 0) + 1 }), {});

let window: CredentialWindow;
const reported: number[] = [];
const recordRemaining = ({ remaining }: { remaining: number }): void => void reported.push(remaining);
const bearer = (fingerprint: string, network = '192.0.2.1', person?: string): CredentialBearer => ({
  network,
  fingerprint,
  provenSubject: () => Promise.resolve(person),
  report: recordRemaining,
});
beforeEach(() => {
  window = new CredentialWindow(new NetworkRates(new Metrics()));
  reported.length = 0;
});

test('of a thousand guesses at once a hundred are looked up, and the rest are answered without', async () => {
  let lookups = 0;
  const guess = (i: number): Promise<string> =>
    codeOf(window.pass(bearer(`guess ${i}`), () => (lookups++, wrong())));
  const codes = await Promise.all(Array.from({ length: 1_000 }, (_, i) => guess(i)));
  expect(lookups).toBe(100);
  expect(countByCode(codes)).toEqual({ invalid_api_key: 100, rate_limit_exceeded: 900 });
  expect(reported).toHaveLength(1_000);
  // Another network has its own window.
  expect(await codeOf(window.pass(bearer('guess', '192.0.2.2'), wrong))).toBe('invalid_api_key');
});

test('credentials that were right go on beside one who guesses, and those that no more are do not', async () => {
  const right = (): Promise<string> => Promise.resolve('ada');
  await window.pass(bearer('ada'), right);
  for (let i = 0; i < 120; i++) await codeOf(window.pass(bearer(`guess ${i}`), wrong));
  expect(await window.pass(bearer('ada'), right)).toBe('ada');
  expect(await codeOf(window.pass(bearer('grace'), right))).toBe('rate_limit_exceeded');
  // The key is revoked: the first look-up detects it, and there is no second.
  let lookups = 0;
  for (let i = 0; i < 5; i++) await codeOf(window.pass(bearer('ada'), () => (lookups++, wrong())));
  expect(lookups).toBe(1);
});

test('right credentials that nobody has seen yet all pass, however many come at once', async () => {
  const codes = await Promise.all(
    Array.from({ length: 500 }, (_, i) => codeOf(window.pass(bearer(`key ${i}`), () => Promise.resolve(i)))),
  );
  expect(countByCode(codes)).toEqual({ passed: 500 });
});

test('what we cannot answer is held against nobody', async () => {
  const broken = (): Promise<never> => Promise.reject(new DomainError('service_unavailable', 'No database.'));
  for (let i = 0; i < 300; i++)
    expect(await codeOf(window.pass(bearer(`key ${i}`), broken))).toBe('service_unavailable');
});

test('a person whose token shows who that is comes in beside one who guesses, and has a window of their own', async () => {
  const right = (): Promise<string> => Promise.resolve('in');
  for (let i = 0; i < 120; i++) await codeOf(window.pass(bearer(`guess ${i}`), wrong));
  expect(await codeOf(window.pass(bearer('fresh token'), right))).toBe('rate_limit_exceeded');
  expect(await window.pass(bearer('fresh token', '192.0.2.1', 'ada'), right)).toBe('in');
  let lookups = 0;
  const knock = (i: number): Promise<string> =>
    codeOf(window.pass(bearer(`token ${i}`, '192.0.2.1', 'eve'), () => (lookups++, wrong())));
  expect(countByCode(await Promise.all(Array.from({ length: 150 }, (_, i) => knock(i))))).toEqual({
    invalid_api_key: 100,
    rate_limit_exceeded: 50,
  });
  expect(lookups).toBe(100);
});

test('whose credentials show something is asked only where the window of the network is closed', async () => {
  let asked = 0;
  const shown = (): Promise<string> => (asked++, Promise.resolve('ada'));
  const right = (): Promise<string> => Promise.resolve('in');
  expect(await window.pass({ ...bearer('one'), provenSubject: shown }, right)).toBe('in');
  expect(asked).toBe(0);
  for (let i = 0; i < 120; i++) await codeOf(window.pass(bearer(`guess ${i}`), wrong));
  expect(await window.pass({ ...bearer('two'), provenSubject: shown }, right)).toBe('in');
  expect(asked).toBe(1);
});
