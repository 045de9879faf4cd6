/**
 * The key set over hours on a clock that the test controls (gate S3): six hours of freshness, one lookup in 30 s
 * for unknown keys, and a circuit breaker that opens after five failures and tries again after 30 s. The provider
 * is a real server.
 */
import { DomainError } from '../../src/kernel/domain-error.js';
import { fetchPublishedKeys } from '../../src/modules/auth/application/published-keys.js';
import { RemoteKeySet } from '../../src/modules/auth/application/remote-key-set.js';
import { AUDIENCE, ISSUER, KeySetServer, providerKey, type ProviderKey } from '../support/key-set-server.js';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

let provider: KeySetServer;
let keySet: RemoteKeySet;
let first: ProviderKey;
let second: ProviderKey;

/** Advances the clock of the key set and its breaker. */
const wind = (milliseconds: number): void => void jest.advanceTimersByTime(milliseconds);

/** The result of a key lookup: found, unknown, or the error with its delay. */
async function ask(keyId: string | undefined): Promise<string> {
  try {
    return (await keySet.keyOf(keyId)) === undefined ? 'unknown' : 'found';
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return `${error.code} ${error.fields.retry_after}`;
  }
}

beforeAll(async () => {
  [first, second] = await Promise.all([providerKey('first'), providerKey('second')]);
});

beforeEach(async () => {
  provider = await new KeySetServer().start();
  provider.keys = [first];
  // The network uses real time; only code that reads the clock or sleeps on it uses the fake one.
  jest.useFakeTimers({
    doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance', 'hrtime', 'setInterval'],
  });
  const { url } = provider;
  keySet = new RemoteKeySet({ issuer: ISSUER, audience: AUDIENCE }, () => fetchPublishedKeys(url));
});

afterEach(async () => {
  keySet.close();
  jest.useRealTimers();
  await provider.stop();
});

test('a hundred who ask at once cause one fetch', async () => {
  const answers = await Promise.all(Array.from({ length: 100 }, () => ask('first')));
  expect(new Set(answers)).toEqual(new Set(['found']));
  expect(provider.fetches).toBe(1);
});

test('keys are fresh for six hours, and fetched again after them', async () => {
  await ask('first');
  wind(6 * HOUR - SECOND);
  expect(await ask('first')).toBe('found');
  expect(provider.fetches).toBe(1);
  wind(SECOND);
  expect(await ask('first')).toBe('found');
  expect(provider.fetches).toBe(2);
});

test('what is at hand is told without anybody asked, and no longer than it is fresh', async () => {
  expect(keySet.cachedKeyOf('first')).toBeUndefined();
  await ask('first');
  expect(keySet.cachedKeyOf('first')).toContain('PUBLIC KEY');
  expect(keySet.cachedKeyOf('second')).toBeUndefined();
  wind(6 * HOUR);
  expect(keySet.cachedKeyOf('first')).toBeUndefined();
  expect(provider.fetches).toBe(1);
});

test('a key that is new at the provider is found at once', async () => {
  await ask('first');
  provider.keys = [first, second];
  expect(await ask('second')).toBe('found');
});

test('unknown keys cause one look-up in 30 s, and all who ask meanwhile share it', async () => {
  await ask('first');
  const flood = await Promise.all(Array.from({ length: 50 }, (_, i) => ask(`stranger-${i}`)));
  expect(new Set(flood)).toEqual(new Set(['unknown']));
  expect(provider.fetches).toBe(2);
  wind(29 * SECOND);
  expect(await ask('stranger')).toBe('unknown');
  expect(provider.fetches).toBe(2);
  wind(SECOND);
  expect(await ask('stranger')).toBe('unknown');
  expect(provider.fetches).toBe(3);
});

test('an outage is not noticed while keys are fresh; beyond them it is 503', async () => {
  await ask('first');
  await provider.stop();
  wind(5 * HOUR);
  expect(await ask('first')).toBe('found');
  wind(HOUR);
  expect(await ask('first')).toBe('auth_unavailable 2');
  await provider.start();
  expect(await ask('first')).toBe('found');
});

test('an unknown key during an outage is 503, since nobody can say whether it exists', async () => {
  await ask('first');
  provider.failure = 500;
  expect(await ask('second')).toBe('auth_unavailable 2');
  expect(await ask('second')).toBe('auth_unavailable 2');
  expect(provider.fetches).toBe(2);
  expect(await ask('first')).toBe('found');
});

test('the breaker opens after five failures, tries once after 30 s, and closes when that succeeds', async () => {
  provider.failure = 503;
  for (let i = 0; i < 4; i++) expect(await ask('first')).toBe('auth_unavailable 2');
  expect(await ask('first')).toBe('auth_unavailable 30');
  expect(provider.fetches).toBe(5);

  wind(20 * SECOND);
  for (let i = 0; i < 20; i++) expect(await ask('first')).toBe('auth_unavailable 10');
  expect(provider.fetches).toBe(5);

  // Half-open: one attempt, whose failure opens the breaker for another 30 s.
  wind(10 * SECOND);
  expect(await ask('first')).toBe('auth_unavailable 30');
  expect(await ask('first')).toBe('auth_unavailable 30');
  expect(provider.fetches).toBe(6);

  provider.failure = undefined;
  wind(30 * SECOND);
  expect(await ask('first')).toBe('found');
  expect(provider.fetches).toBe(7);
});

test.each([
  ['an error', { failure: 500 }],
  ['no usable key', { keys: [] }],
])('a provider that answers with %s replaces nothing', async (_name, fault) => {
  await ask('first');
  Object.assign(provider, fault);
  await ask('stranger');
  expect(await ask('first')).toBe('found');
});

test('a token without key id needs a set of one key', async () => {
  expect(await ask(undefined)).toBe('found');
  provider.keys = [first, second];
  wind(6 * HOUR);
  expect(await ask(undefined)).toBe('unknown');
});
