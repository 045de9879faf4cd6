import { applyPatch } from 'diff';
import fc from 'fast-check';
import { repetitions, runs } from '../../../../test/support/test-scope.js';
import { versionDiff, type DiffableState } from './version-diff.js';

const STATE: DiffableState = {
  version: 1,
  name: 'Welcome',
  bodyHtml: '<p>\none\n</p>',
  bodyAst: null,
  templateLanguage: null,
};

test('the same state differs in nothing', () => {
  expect(versionDiff(STATE, STATE)).toEqual({
    from: 1,
    to: 1,
    name: null,
    templateLanguage: null,
    hunks: [],
    astChanged: false,
    astPatch: null,
  });
});

test('names what has changed', () => {
  const later: DiffableState = {
    version: 4,
    name: 'Hello',
    bodyHtml: '<p>\ntwo\n</p>',
    bodyAst: { a: 1 },
    templateLanguage: 'nlt',
  };
  expect(versionDiff(STATE, later)).toEqual({
    from: 1,
    to: 4,
    name: { from: 'Welcome', to: 'Hello' },
    templateLanguage: { from: null, to: 'nlt' },
    hunks: [
      {
        oldStart: 1,
        oldLines: 3,
        newStart: 1,
        newLines: 3,
        text: ' <p>\n-one\n+two\n </p>\n\\ No newline at end of file',
      },
    ],
    astChanged: true,
    astPatch: null,
  });
});

test('gives the patch between two documents of the editor', () => {
  const [from, to] = [
    { ...STATE, bodyAst: { a: 1 } },
    { ...STATE, bodyAst: { a: 2 } },
  ];
  expect(versionDiff(from, to)).toMatchObject({
    astChanged: true,
    astPatch: [{ op: 'replace', path: '/a', value: 2 }],
  });
});

test('the hunks lead from one body to the other', () => {
  const body = fc
    .array(fc.constantFrom('a', 'b', '<p>', ''), { maxLength: 30 })
    .map((lines) => lines.join('\n'));
  fc.assert(
    fc.property(body, body, (from, to) => {
      const { hunks } = versionDiff({ ...STATE, bodyHtml: from }, { ...STATE, bodyHtml: to });
      const patch = {
        oldFileName: '',
        newFileName: '',
        oldHeader: undefined,
        newHeader: undefined,
        hunks: hunks.map(({ text, ...place }) => ({ ...place, lines: text.split('\n') })),
      };
      expect(applyPatch(from, patch)).toBe(to);
    }),
    { numRuns: runs(300) },
  );
});

test('bodies that have too little in common count as replaced', () => {
  const lines = (word: string) => Array.from({ length: 2_000 }, (_, line) => `${word} ${line}\n`).join('');
  const { hunks } = versionDiff({ ...STATE, bodyHtml: lines('old') }, { ...STATE, bodyHtml: lines('new') });
  expect(hunks).toMatchObject([{ oldStart: 1, oldLines: 2_000, newStart: 1, newLines: 2_000 }]);
  expect(hunks[0]?.text.split('\n').slice(1_998, 2_002)).toEqual([
    '-old 1998',
    '-old 1999',
    '+new 0',
    '+new 1',
  ]);
});

const LINES = repetitions({ short: 200_000, full: 1_000_000 });

test(`${LINES} short lines are no burden`, () => {
  const from = 'a\n'.repeat(LINES);
  const { hunks } = versionDiff({ ...STATE, bodyHtml: from }, { ...STATE, bodyHtml: `${from}b` });
  expect(hunks).toMatchObject([{ oldLines: 3, newLines: 4 }]);
});
