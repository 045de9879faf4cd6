import type { RuleFinding } from './finding.js';
import { MAX_SNIPPET_LENGTH, storedFindings, type StoredFinding } from './stored-finding.js';

const rowsOf = (...given: Parameters<typeof storedFindings>): readonly StoredFinding[] =>
  storedFindings(...given).findings;

const empty = (source: string, from = 0): RuleFinding => {
  const at = source.indexOf('<a', from);
  return { rule: 'link_empty', message: 'The link leads nowhere.', at, until: source.indexOf('>', at) + 1 };
};
const targetOf = (finding: RuleFinding, source: string): string | undefined =>
  rowsOf([finding], source)[0]?.target;

test('has code, words, place and snippet', () => {
  const source = '<p>\r\n  Hi <a href="">here</a>\n</p>';
  expect(rowsOf([empty(source)], source)).toMatchObject([
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

/** Targets of a rule's findings at every occurrence of a text in a source. */
const targetsOf = (rule: RuleFinding['rule'], text: string, source: string): string[] =>
  rowsOf(
    [...source.matchAll(new RegExp(text, 'g'))].map(({ index: index }) => ({
      rule,
      message: 'x',
      at: index,
    })),
    source,
  ).map(({ target }) => target);

test.each([
  ['scripts by what they run', '<script>a()</script>', '<script>entirelyDifferent()</script>'],
  ['links by their words', '<a href="">one</a>', '<a href="">two</a>'],
  ['headings', '<h2>one</h2>', '<h2>two</h2>'],
  ['cells', '<td>one</td>', '<td>two</td>'],
  ['equals by their order', '<a href="">one</a>', '<a href="">one</a>'],
  ['containers by their order', '<div><p>one</p></div>', '<div><p>two</p></div>'],
])('%s: each is a finding of its own, and known again', (_name, one, two) => {
  const tag = /^<[^>]*>/.exec(one)?.[0] ?? '';
  const [first = '', second = ''] = targetsOf('link_empty', tag, `<p>x ${one}${two}</p>`);
  expect(first).not.toBe(second);
  expect(targetsOf('link_empty', tag, `<h1>New</h1>\n${one}\n${two} and`)).toEqual([first, second]);
});

test('a container is known whatever it holds, a cell with a table in it as well', () => {
  const of = (html: string): string | undefined => targetsOf('table_role_missing', '<t[ad]', html)[0];
  expect(of('<table width="9"><tr><td>a</td></tr></table>')).toBe(of('<table width="9"><tr></tr></table>'));
  expect(of('<td><table><p>a</p></table></td>')).toBe(of('<td><table><p>b</p></table></td>'));
});

test('a text is known though the rest of its line changes', () => {
  expect(targetsOf('text_tiny', 'Small', '<p>Small print</p><h2>more</h2>')).toEqual(
    targetsOf('text_tiny', 'Small', '<p>Small print</p>'),
  );
});

test('several faults of an element are told apart, and one that is told twice of a place is one', () => {
  const finding = empty('<a href="">b</a>');
  const targets = rowsOf(
    [finding, finding, { ...finding, part: 'x' }, { ...finding, part: 'y' }],
    '<a href="">b</a>',
  ).map(({ target }) => target);
  expect([targets.length, new Set(targets).size]).toEqual([4, 3]);
});

test('the clients are those of the finding, else those of its rule', () => {
  const clientsOf = (finding: RuleFinding): unknown => rowsOf([finding], '')[0]?.clients;
  const finding: RuleFinding = { rule: 'dark_outlook_missing', message: 'x', at: null };
  expect(clientsOf(finding)).toEqual(['outlook_com']);
  expect(clientsOf({ ...finding, clients: ['yahoo'] })).toEqual(['yahoo']);
});

test('what has no place is known by its message without the numbers', () => {
  const long = (length: number): RuleFinding => ({
    rule: 'subject_long',
    message: `The subject has ${length} characters.`,
    at: null,
  });
  expect(targetOf(long(71), '')).toBe(targetOf(long(1_200), ''));
  expect(rowsOf([long(71)], '')).toMatchObject([{ line: null, column: null, snippet: null }]);
});

test('what the database keeps of no text has a sign in its place', () => {
  const source = '<a href="\0\ud800">x</a>';
  const finding: RuleFinding = {
    ...empty(source),
    message: 'a\0b\ud800',
    edits: [{ start: 0, end: 1, text: '\0' }],
  };
  expect(rowsOf([finding], source)).toMatchObject([
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
    rowsOf(findings, source, snoozed).map(({ code, column }) => [code, column]);
  expect(shown([])).toEqual([
    ['HT001', 2],
    ['LK002', 1],
    ['LK002', 17],
    ['LK006', 1],
    ['SJ007', null],
  ]);
  expect(shown(['LK002', 'SJ007'])).toEqual(shown([]));
});

const many = (rule: RuleFinding['rule'], count: number, more: Partial<RuleFinding> = {}): RuleFinding[] =>
  Array.from({ length: count }, (_, at) => ({ rule, message: 'x', at, ...more }));

test('five thousand findings are stored, the gravest, and the others counted', () => {
  const findings = [...many('link_insecure', 5_000), ...many('link_empty', 1_200)];
  const { findings: kept, omitted: omitted } = storedFindings(findings, 'x'.repeat(6_000));
  expect(omitted).toBe(1_200);
  expect(kept.filter(({ code }) => code === 'LK002')).toHaveLength(1_200);
  expect(kept).toHaveLength(5_000);
});

test('eight megabytes are stored', () => {
  const { findings, omitted: omitted } = storedFindings(
    many('link_empty', 100, { message: 'x'.repeat(100_000) }),
    'x'.repeat(100),
  );
  expect(findings.length).toBeGreaterThan(80);
  expect(findings.length).toBeLessThan(90);
  expect(omitted).toBe(100 - findings.length);
});

test('codes that nobody wants to hear of take no room from the others, and are not counted', () => {
  const findings = [...many('link_empty', 5_200), ...many('link_insecure', 3)];
  const { findings: kept, omitted: omitted } = storedFindings(findings, 'x'.repeat(6_000), ['LK002']);
  expect(kept.filter(({ code }) => code === 'LK002')).toHaveLength(5_000);
  expect(kept.filter(({ code }) => code === 'LK006')).toHaveLength(3);
  expect(omitted).toBe(0);
});

test.each([
  ['a long tag', `${'x'.repeat(150)}<a href="${'y'.repeat(900)}">z</a>`],
  ['one that is longer than a snippet', `ab<a href="${'y'.repeat(3_000)}">z</a>`],
  ['a long line', `${'x'.repeat(3_000)}<a href="">${'z'.repeat(3_000)}`],
])('a snippet is bounded and holds the element: %s', (_name, source) => {
  const [found] = rowsOf([empty(source)], source);
  const element = /<a[^>]*>/.exec(source)?.[0] ?? '';
  expect(found?.snippet?.length).toBeLessThanOrEqual(MAX_SNIPPET_LENGTH);
  expect(found?.snippet).toContain(element.slice(0, MAX_SNIPPET_LENGTH));
});
