import { isUuid } from './tenant-scope.js';
import { earliestId, uuidOf, uuidv7 } from './uuid.js';

const VERSION_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test('ids are UUIDs of version 7 that begin with their time', () => {
  const id = uuidv7(Date.UTC(2030, 0, 1));
  expect(id).toMatch(VERSION_7);
  expect(isUuid(id)).toBe(true);
  expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(Date.UTC(2030, 0, 1));
});

test('ids sort in the order in which they were made, within a millisecond and when time goes backwards', () => {
  const now = Date.UTC(2031, 0, 1);
  const ids = [
    ...Array.from({ length: 10_000 }, () => uuidv7(now)),
    ...Array.from({ length: 100 }, (_, index) => uuidv7(now - index)),
    uuidv7(now + 1_000),
  ];
  expect([...ids].sort()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
});

test('ids tell the time of a clock that was set back by more than a minute', () => {
  const now = Date.UTC(2032, 0, 1);
  const [latest, hidden, older] = [now, now - 60_000, now - 60_001].map((time) => uuidv7(time));
  expect(hidden! > latest!).toBe(true);
  expect([older! < latest!, older! >= earliestId(new Date(now - 60_001))]).toEqual([true, true]);
});

test('an id of a told moment is of that moment, and the order of others does not know of it', () => {
  const now = Date.UTC(2033, 0, 1);
  const before = uuidv7(now);
  const pastId = uuidOf(new Date(now - 3_600_000));
  expect(pastId).toMatch(VERSION_7);
  expect([pastId < before, pastId > earliestId(new Date(now - 3_600_000)), uuidv7(now) > before]).toEqual([
    true,
    true,
    true,
  ]);
});

test.each([-1, Date.UTC(1, 0, 1), -8.64e15])('%d ms, before ids begin, are their first moment', (time) => {
  expect(uuidv7(time)).toMatch(VERSION_7);
  expect(uuidOf(new Date(time))).toMatch(/^00000000-0000-7/);
});

test('the earliest id of a moment stands between what was made before it and what was made since', () => {
  const before = uuidv7(4_000_000_000_000);
  const bound = earliestId(new Date(4_000_000_000_001));
  const since = uuidv7(4_000_000_000_001);
  expect([before < bound, bound <= since]).toEqual([true, true]);
});
