import { GenerationalCache } from './generational-cache.js';

/** A cache of two, and the keys that it had to compute a value for. */
function cache(): { ask: (...keys: string[]) => void; made: string[] } {
  const kept = new GenerationalCache<string>(2);
  const made: string[] = [];
  const make = (key: string): string => {
    made.push(key);
    return key.toUpperCase();
  };
  return {
    made,
    ask: (...keys) => {
      for (const key of keys) expect(kept.get(key, make)).toBe(key.toUpperCase());
    },
  };
}

test('a value is made once', () => {
  const { ask, made } = cache();
  ask('a', 'b', 'a', 'b', 'a');
  expect(made).toEqual(['a', 'b']);
});

test('what is asked for again stays, however many others come', () => {
  const { ask, made } = cache();
  for (let index = 0; index < 100; index++) ask('a', `${index}`);
  expect(made.filter((key) => key === 'a')).toHaveLength(1);
});

test('what is not asked for again is forgotten', () => {
  const { ask, made } = cache();
  ask('a', 'b', 'c', 'd', 'e', 'a');
  expect(made).toEqual(['a', 'b', 'c', 'd', 'e', 'a']);
});
