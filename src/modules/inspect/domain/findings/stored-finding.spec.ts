import type { RuleFinding } from './finding.js';
import { LONGEST_SNIPPET } from './snippet.js';
import { storedFindings } from './stored-finding.js';

const empty = (source: string, from = 0): RuleFinding => {
  const at = source.indexOf('<a', from);
  return { rule: 'link_empty', message: 'The link leads nowhere.', at, until: source.indexOf('>', at) + 1 };
};
const targetOf = (finding: RuleFinding, source: string): string | undefined =>
  storedFindings([finding], source)[0]?.target;

test('has code, words, place and snippet', () => {
  const source = '<p>\r\n  Hi <a href="">here</a>\n</p>';
  expect(storedFindings([empty(source)], source)).toMatchObject([
    {
      code: 'LK002',
      category: 'links',
      severity: 'critical',
      line: 2,
      column: 6,
      snippet: '  Hi <a href="">here</a>',
      clients: [],
      edits: null,
    },
  ]);
});

test('the same element has the same target wherever it stands, another one has another', () => {
  const one = '<p><a href="">here</a></p>';
  const moved = '<h1>New</h1>\n\n<div><a\n  href="">here</a></div>';
  const other = '<p><a href="" class="b">here</a></p>';
  expect(targetOf(empty(moved), moved)).toBe(targetOf(empty(one), one));
  expect(targetOf(empty(other), other)).not.toBe(targetOf(empty(one), one));
  expect(targetOf(empty(one), one)).toMatch(/^[\da-f]{64}$/);
});

test('what has no place is known by its message without the numbers', () => {
  const long = (length: number): RuleFinding => ({
    rule: 'subject_long',
    message: `The subject has ${length} characters.`,
    at: null,
  });
  expect(targetOf(long(71), '')).toBe(targetOf(long(1_200), ''));
  expect(storedFindings([long(71)], '')).toMatchObject([{ line: null, column: null, snippet: null }]);
});

test('what the database keeps of no text has a sign in its place', () => {
  const source = '<a href="\0\ud800">x</a>';
  const finding: RuleFinding = {
    ...empty(source),
    message: 'a\0b\ud800',
    edits: [{ start: 0, end: 1, text: '\0' }],
  };
  expect(storedFindings([finding], source)).toMatchObject([
    {
      message: 'a\ufffdb\ufffd',
      snippet: '<a href="\ufffd\ufffd">x</a>',
      edits: [{ start: 0, end: 1, text: '\ufffd' }],
    },
  ]);
});

test('the gravest first, then by place, also codes that nobody wants to hear of', () => {
  const source = '<p>\n<a href="">b</a><a href="">c</a>';
  const findings: RuleFinding[] = [
    { rule: 'preheader_missing', message: 'a', at: null },
    { rule: 'link_insecure', message: 'b', at: 4 },
    empty(source, 10),
    empty(source),
    { rule: 'template_error', message: 'd', at: { line: 1, column: 2 } },
  ];
  const shown = (snoozed: string[]): [string, number | null][] =>
    storedFindings(findings, source, snoozed).map(({ code, column }) => [code, column]);
  expect(shown([])).toEqual([
    ['HT001', 2],
    ['LK002', 1],
    ['LK002', 17],
    ['LK006', 1],
    ['SJ007', null],
  ]);
  expect(shown(['LK002', 'SJ007'])).toEqual(shown([]));
});

test('codes that nobody wants to hear of take no room from the others', () => {
  const many = (rule: RuleFinding['rule'], count: number): RuleFinding[] =>
    Array.from({ length: count }, (_, at) => ({ rule, message: 'x', at }));
  const findings = [...many('link_empty', 1_200), ...many('link_insecure', 3)];
  const kept = storedFindings(findings, 'x'.repeat(1_300), ['LK002']).map(({ code }) => code);
  expect(kept.filter((code) => code === 'LK002')).toHaveLength(1_000);
  expect(kept.filter((code) => code === 'LK006')).toHaveLength(3);
  expect(storedFindings(findings, 'x'.repeat(1_300))).toHaveLength(1_000);
});

test.each([
  ['a long tag', `${'x'.repeat(150)}<a href="${'y'.repeat(900)}">z</a>`],
  ['one that is longer than a snippet', `ab<a href="${'y'.repeat(3_000)}">z</a>`],
  ['a long line', `${'x'.repeat(3_000)}<a href="">${'z'.repeat(3_000)}`],
])('a snippet is bounded and holds the element: %s', (_name, source) => {
  const [found] = storedFindings([empty(source)], source);
  const element = /<a[^>]*>/.exec(source)?.[0] ?? '';
  expect(found?.snippet?.length).toBeLessThanOrEqual(LONGEST_SNIPPET);
  expect(found?.snippet).toContain(element.slice(0, LONGEST_SNIPPET));
});
