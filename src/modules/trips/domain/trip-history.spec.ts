import fc from 'fast-check';
import { ExactNumber } from '../../../kernel/exact-number.js';
import { isStorableJson } from '../../../kernel/json.js';
import type { TracedStep } from './decision.js';
import {
  GAP,
  GAP_LINE,
  parseHistory,
  formatDecisionHistory,
  formatHistory,
  type HistoryEntry,
} from './trip-history.js';

const NOW = new Date('2026-03-02T09:00:00.123Z');
const entry = (more: Partial<HistoryEntry> = {}): HistoryEntry => ({
  at: NOW,
  stepId: 7,
  outcome: 'parked',
  ...more,
});

test.each<[string, HistoryEntry, string]>([
  ['a plain step', entry(), `[${NOW.getTime()},7,"parked"]\n`],
  [
    'facts',
    entry({ facts: { resume_at: '2026-03-03' } }),
    `[${NOW.getTime()},7,"parked",{"resume_at":"2026-03-03"}]\n`,
  ],
  ['values alone', entry({ values: { value: 3 } }), `[${NOW.getTime()},7,"parked",{},{"value":3}]\n`],
  ['a name that is no word', entry({ outcome: 'variant "B"' }), `[${NOW.getTime()},7,"variant \\"B\\""]\n`],
  ['letters beyond ASCII', entry({ outcome: 'variant é' }), `[${NOW.getTime()},7,"variant \\u00e9"]\n`],
  ['a character of two', entry({ outcome: 'variant 😀' }), `[${NOW.getTime()},7,"variant \\ud83d\\ude00"]\n`],
  [
    'NUL and a lone surrogate',
    entry({ outcome: 'variant a\0b\ud83d' }),
    `[${NOW.getTime()},7,"variant ab\\ufffd"]\n`,
  ],
  [
    'numbers',
    entry({ values: { value: ExactNumber.from('12345678901234567890'), other: Number.POSITIVE_INFINITY } }),
    `[${NOW.getTime()},7,"parked",{},{"value":"12345678901234567890","other":"Infinity"}]\n`,
  ],
])('%s is one line of ASCII', (_, given, expected) => {
  expect(formatHistory([given])).toBe(expected);
});

test('a line is read as it was written', () => {
  const entries = [
    entry(),
    entry({
      outcome: 'continue',
      facts: { holds: true, asked: [{ branch: 0, holds: false }] },
      values: { value: 'é' },
    }),
  ];
  expect(parseHistory(formatHistory(entries))).toEqual(entries);
});

test('long values are cut, and a line that is too long all the same keeps its outcome', () => {
  const [read] = parseHistory(formatHistory([entry({ values: { value: 'x'.repeat(5_000) } })]));
  expect(String(read?.values?.['value'])).toHaveLength(100);
  const many = Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`n${i}`, 'é'.repeat(200)]));
  expect(parseHistory(formatHistory([entry({ values: many })]))).toEqual([entry()]);
});

test('of a decision of very many steps the first and the last are kept', () => {
  const trace = Array.from({ length: 1_000 }, (_, i): TracedStep => ({
    stepId: i + 1,
    type: 'update_contact',
    outcome: 'updated',
    way: '',
    facts: undefined,
    values: undefined,
  }));
  const text = formatDecisionHistory(trace, { kind: 'complete', lastStep: 1_000, reason: 'finished' }, NOW);
  expect(text.length).toBeLessThan(8_300);
  const ids = parseHistory(text).map(({ stepId }) => stepId);
  expect(ids[0]).toBe(1);
  expect(ids.at(-1)).toBe(1_000);
  expect(parseHistory(text).filter(({ outcome }) => outcome === GAP)).toHaveLength(1);
});

test('why a trip cannot go on stands at the end', () => {
  const text = formatDecisionHistory([], { kind: 'fail', lastStep: 0, reason: 'invalid_step' }, NOW);
  expect(parseHistory(text)).toEqual([
    entry({ stepId: 0, outcome: 'failed', facts: { reason: 'invalid_step' } }),
  ]);
});

test('gaps that stand together are one', () => {
  const text = `${formatHistory([entry()])}${GAP_LINE}\n${GAP_LINE}\n${formatHistory([entry({ stepId: 9 })])}`;
  expect(parseHistory(text).map(({ outcome }) => outcome)).toEqual(['parked', GAP, 'parked']);
});

test('whatever is seen, a line is short, in ASCII, and PostgreSQL can read it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.jsonValue(), fc.jsonValue(), (outcome, fact, value) => {
      const text = formatHistory([
        entry({ outcome: `variant ${outcome}`, facts: { fact }, values: { value } }),
      ]);
      expect(text).toMatch(/^[\x20-\x7e]{1,1024}\n$/);
      expect(isStorableJson(JSON.stringify(JSON.parse(text)))).toBe(true);
      expect(parseHistory(text)).toHaveLength(1);
    }),
  );
});

test('of a long list of what was asked, what comes first is kept, however long the names', () => {
  const asked = Array.from({ length: 12 }, (_, place) => ({
    branch: 11 - place,
    holds: place === 0,
    field: `properties.${'x'.repeat(60)}`,
  }));
  const values = { asked: asked.map(({ branch }) => ({ branch, value: 'y'.repeat(90) })) };
  const [read] = parseHistory(formatHistory([entry({ outcome: 'branch 11', facts: { asked }, values })]));
  expect(read).toMatchObject({ facts: { asked: [asked[0]] }, values: { asked: [values.asked[0]] } });
});
