import type { ChangeListener } from './change-feed.js';
import { TenantCache, type CacheOptions } from './tenant-cache.js';

/** A cache of texts, a change feed to send through, and a record of what was loaded. */
function openCache(bound: CacheOptions<string> = { capacity: 3 }) {
  const listeners: ChangeListener[] = [];
  const cache = new TenantCache<string>(
    { listen: (listener) => listeners.push(listener) },
    'templates',
    bound,
  );
  const loads: string[] = [];
  const load = async (missing: readonly string[]): Promise<Map<string, string>> => {
    loads.push(...missing);
    return new Map(missing.filter((key) => key !== 'unknown').map((key) => [key, `value of ${key}`]));
  };
  return {
    get: (workspace: string, ...keys: string[]) => cache.getMany(workspace, keys, load),
    cache,
    loads,
    notify: (change: Parameters<ChangeListener>[0]) => listeners.forEach((listener) => listener(change)),
  };
}

describe('a tenant cache', () => {
  test('loads a key once, and only the missing ones', async () => {
    const { get, loads } = openCache();
    await get('w1', 'a');
    const found = await get('w1', 'a', 'b', 'b');
    expect([...found]).toEqual([
      ['a', 'value of a'],
      ['b', 'value of b'],
    ]);
    expect(loads).toEqual(['a', 'b']);
  });

  test('loads anew what is to be forgotten, and keeps nothing of what was being loaded then', async () => {
    const { get, cache, loads } = openCache();
    await get('w1', 'a', 'b');
    const underWay = get('w1', 'c');
    cache.invalidate('w1', 'a');
    await underWay;
    await get('w1', 'a', 'b', 'c');
    expect(loads).toEqual(['a', 'b', 'c', 'a', 'c']);
  });

  test('keeps workspaces apart', async () => {
    const { get, loads } = openCache();
    await get('w1', 'a');
    await get('w2', 'a');
    expect(loads).toEqual(['a', 'a']);
  });

  test('loads once for all who ask at the same time', async () => {
    const { get, loads } = openCache();
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) => get('w1', 'a', index % 2 === 0 ? 'b' : 'unknown')),
    );
    expect(loads).toEqual(['a', 'b', 'unknown']);
    expect(answers.map((answer) => answer.get('a'))).toEqual(Array(100).fill('value of a'));
    expect(answers.map((answer) => answer.has('b'))).toEqual(answers.map((_, index) => index % 2 === 0));
  });

  test('who asks after a change does not wait for what was asked before it', async () => {
    const { get, loads, notify } = openCache();
    const before = get('w1', 'a');
    notify({ table: 'templates', workspaceId: 'w1' });
    await Promise.all([before, get('w1', 'a'), get('w1', 'a')]);
    expect(loads).toEqual(['a', 'a']);
  });

  test('a load that fails fails for all who wait, and is tried again', async () => {
    const { cache, get, loads } = openCache();
    const fail = (): Promise<Map<string, string>> => Promise.reject(new Error('gone'));
    const both = [cache.getMany('w1', ['a'], fail), get('w1', 'a')];
    const outcomes = await Promise.allSettled(both);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect((await get('w1', 'a')).get('a')).toBe('value of a');
    expect(loads).toEqual(['a']);
  });

  test('asks again for what was not found', async () => {
    const { get, loads } = openCache();
    expect((await get('w1', 'unknown')).size).toBe(0);
    await get('w1', 'unknown');
    expect(loads).toEqual(['unknown', 'unknown']);
  });

  test('drops what was used longest ago', async () => {
    const { get, loads } = openCache();
    await get('w1', 'a', 'b', 'c');
    await get('w1', 'a');
    await get('w1', 'd');
    await get('w1', 'a', 'c', 'd');
    expect(loads).toEqual(['a', 'b', 'c', 'd']);
    await get('w1', 'b');
    expect(loads.at(-1)).toBe('b');
  });

  test('is bounded by weight, and does not keep what is heavier than all it may hold', async () => {
    const { get, loads } = openCache({ capacity: 11, weigh: (value) => value.length });
    await get('w1', 'a');
    await get('w1', 'long');
    await get('w1', 'a', 'long');
    expect(loads).toEqual(['a', 'long', 'long']);
  });

  test('drops a workspace of which the table changed, and no other', async () => {
    const { get, loads, notify } = openCache();
    await get('w1', 'a');
    await get('w2', 'b');
    notify({ table: 'flows', workspaceId: 'w1' });
    notify({ table: 'templates', workspaceId: 'w1' });
    await get('w1', 'a');
    await get('w2', 'b');
    expect(loads).toEqual(['a', 'b', 'a']);
  });

  test('drops everything when news may have been missed', async () => {
    const { get, loads, notify } = openCache();
    await get('w1', 'a');
    notify('everything');
    await get('w1', 'a');
    expect(loads).toEqual(['a', 'a']);
  });

  test('does not keep what was loaded while it changed', async () => {
    const { cache, get, loads, notify } = openCache();
    const old = await cache.getMany('w1', ['a'], async () => {
      notify({ table: 'templates', workspaceId: 'w1' });
      return new Map([['a', 'old']]);
    });
    expect(old.get('a')).toBe('old');
    expect((await get('w1', 'a')).get('a')).toBe('value of a');
    expect(loads).toEqual(['a']);
  });
});
