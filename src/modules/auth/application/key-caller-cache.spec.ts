/** A holder is cached for as long as that is safe, and no longer. */
import type { ChangeListener } from '../../../platform/database/change-feed.js';
import { type AuthenticatedCaller, KeyCallerCache } from './key-caller-cache.js';

const ACME = '0190a5d2-7c3e-7b61-9a3e-4f5f0c0fface';
const holder: AuthenticatedCaller = {
  principal: {
    kind: 'api_key',
    workspaceId: ACME,
    environment: 'live',
    plan: 'free',
    customRates: {},
    keyId: 'k',
    scope: 'full',
    rateLimitPerMinute: null,
  },
  suspended: false,
};

/** A cache, its clock, and a way to report a change to it. */
function cacheAt(time: { now: number }) {
  const listeners: ChangeListener[] = [];
  const cache = new KeyCallerCache({ listen: (listener) => void listeners.push(listener) }, () => time.now);
  return {
    cache,
    notify: (change: Parameters<ChangeListener>[0]) => listeners.forEach((listener) => listener(change)),
  };
}

test('is forgotten after a minute, or when its key or workspace changes', async () => {
  const time = { now: 1_000_000 };
  const { cache, notify } = cacheAt(time);
  const remember = () => cache.getOrLoad('digest', () => Promise.resolve(holder));
  await remember();
  time.now += 59_999;
  expect(cache.get('digest')).toBe(holder);
  time.now += 2;
  expect(cache.get('digest')).toBeUndefined();
  for (const change of [
    { table: 'api_keys', workspaceId: ACME },
    { table: 'workspaces', workspaceId: ACME },
    'everything',
  ] as const) {
    await remember();
    notify(change);
    expect(cache.get('digest')).toBeUndefined();
  }
});

test('is forgotten when the key ends', async () => {
  const time = { now: 1_000_000 };
  const { cache } = cacheAt(time);
  const ending = { ...holder, until: new Date(1_010_000) };
  await cache.getOrLoad('digest', () => Promise.resolve(ending));
  time.now += 9_999;
  expect(cache.get('digest')).toBe(ending);
  time.now += 1;
  expect(await cache.getOrLoad('digest', () => Promise.resolve(undefined))).toBeUndefined();
});

test('stays when somebody else, or something else, changes', async () => {
  const { cache, notify } = cacheAt({ now: 0 });
  await cache.getOrLoad('digest', () => Promise.resolve(holder));
  notify({ table: 'api_keys', workspaceId: 'another' });
  notify({ table: 'templates', workspaceId: ACME });
  expect(cache.get('digest')).toBe(holder);
});

test('is not remembered when a change overtook its reading, and later callers read anew', async () => {
  const { cache, notify } = cacheAt({ now: 0 });
  let finish = (_holder: AuthenticatedCaller): void => undefined;
  const slow = cache.getOrLoad('digest', () => new Promise((resolve) => (finish = resolve)));
  notify({ table: 'api_keys', workspaceId: ACME });
  expect(await cache.getOrLoad('digest', () => Promise.resolve(undefined))).toBeUndefined();
  finish(holder);
  expect(await slow).toBe(holder);
  expect(cache.get('digest')).toBeUndefined();
});

test('callers who ask at once share one reading, and that nobody was found is not remembered', async () => {
  const { cache } = cacheAt({ now: 0 });
  let reads = 0;
  const read = () => cache.getOrLoad('digest', () => Promise.resolve(void reads++));
  await Promise.all([read(), read(), read()]);
  expect(reads).toBe(1);
  await read();
  expect(reads).toBe(2);
});

test('of more holders than are kept, the one used longest ago is forgotten', async () => {
  const { cache } = cacheAt({ now: 1_000_000 });
  const remember = (digest: string) => cache.getOrLoad(digest, () => Promise.resolve(holder));
  for (let n = 0; n < 10_000; n++) await remember(`digest ${n}`);
  expect(cache.get('digest 0')).toBe(holder);
  await remember('one more');
  expect(cache.get('digest 0')).toBe(holder);
  expect(cache.get('digest 1')).toBeUndefined();
});
