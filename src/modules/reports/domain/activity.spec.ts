import fc from 'fast-check';
import {
  type Activity,
  ACTIVITY_KINDS,
  type ActivityCursor,
  compareActivity,
  encodeActivityCursor,
  mergeActivity,
  decodeActivityCursor,
} from './activity.js';

const place = fc.record({
  at: fc.constantFrom(0, 1, 1_772_442_000_000).map((milliseconds) => new Date(milliseconds)),
  kind: fc.constantFrom(...ACTIVITY_KINDS),
  recordId: fc.constantFrom(
    '0190a5d2-7c3e-7b61-9a3e-4f5f0c0f0001',
    '0190a5d2-7c3e-7b61-9a3e-4f5f0c0f0002',
    '0190a5d2-7c3e-7b61-9a3e-4f5f0c0f0003',
  ),
});
const places = fc.uniqueArray(place, { selector: encodeActivityCursor, maxLength: 36 });

test('at one moment, what follows from something comes before it: the newest is first', () => {
  const at = new Date('2026-03-02T09:00:00.000Z');
  const recordId = '0190a5d2-7c3e-7b61-9a3e-4f5f0c0f0001';
  const sorted = ACTIVITY_KINDS.map((kind) => ({ at, kind, recordId })).sort(compareActivity);
  expect(sorted.map(({ kind }) => kind)).toEqual(['trip_ended', 'email', 'trip_started', 'event']);
});

test('each entry has one place, however many share its moment', () => {
  fc.assert(
    fc.property(place, place, (a, b) => {
      expect(Math.sign(compareActivity(a, b)) + Math.sign(compareActivity(b, a))).toBe(0);
      expect(compareActivity(a, b) === 0).toBe(encodeActivityCursor(a) === encodeActivityCursor(b));
    }),
  );
});

test('a cursor is read as the place that it was written from', () => {
  fc.assert(
    fc.property(place, (written) =>
      expect(decodeActivityCursor(encodeActivityCursor(written))).toEqual(written),
    ),
  );
});

test('pages put together are the whole line, whatever their length', () => {
  fc.assert(
    fc.property(places, fc.integer({ min: 1, max: 10 }), (all, length) => {
      const line = [...all].sort(compareActivity);
      const read: ActivityCursor[] = [];
      for (let after: ActivityCursor | undefined; ; after = read.at(-1)) {
        const page = mergeActivity(sourcesBehind(all, after, length), length);
        if (page.length === 0) break;
        read.push(...page);
      }
      expect(read.map(encodeActivityCursor)).toEqual(line.map(encodeActivityCursor));
    }),
  );
});

test.each([
  ['nothing', ''],
  ['no base64', '%%%'],
  ['no list', Buffer.from('{"at":1}').toString('base64url')],
  ['no JSON', Buffer.from('[1,').toString('base64url')],
  ['another kind', cursor([1, 'click', '0190a5d2-7c3e-7b61-9a3e-4f5f0c0f0001'])],
  ['no id', cursor([1, 'event', "x' OR true"])],
  ['no moment', cursor(['now', 'event', '0190a5d2-7c3e-7b61-9a3e-4f5f0c0f0001'])],
  ['half a millisecond', cursor([0.5, 'event', '0190a5d2-7c3e-7b61-9a3e-4f5f0c0f0001'])],
  ['a moment beyond all', cursor([1e15, 'event', '0190a5d2-7c3e-7b61-9a3e-4f5f0c0f0001'])],
])('%s is no cursor', (_, text) =>
  expect(() => decodeActivityCursor(text)).toThrow(/after: is not a cursor/),
);

function cursor(parts: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** Simulates how each source returns its own first entries after a position. */
function sourcesBehind(
  all: readonly ActivityCursor[],
  after: ActivityCursor | undefined,
  limit: number,
): Activity[][] {
  return ACTIVITY_KINDS.map((kind) =>
    all
      .filter((each) => each.kind === kind && (!after || compareActivity(after, each) < 0))
      .sort(compareActivity)
      .slice(0, limit)
      .map((each) => each as Activity),
  );
}
