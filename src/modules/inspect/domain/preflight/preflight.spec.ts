/** Preflight as a whole: its shape, its bounds, and that no input makes it throw. */
import fc from 'fast-check';
import { repetitions, runs } from '../../../../../test/support/test-scope.js';
import { MAX_PER_CODE, type Preflight } from './preflight-answer.js';
import { preflight } from './preflight.js';
import { RULES, type RuleName } from '../rules/catalogue.js';
import { CATEGORY_LETTERS, PREFLIGHT_CATEGORIES } from '../rules/rule.js';

const SENDER = {
  fromEmail: 'hello@acme.test',
  replyTo: undefined,
  companyComplete: true,
  live: true,
  sharedDomain: 'mail.localhost',
  isOwnDomain: false,
};
const examine = (bodyHtml: string, subject: string | null = 'Welcome', bodyText = 'text'): Preflight =>
  preflight({
    content: { subject, bodyHtml, bodyText, templateLanguage: null },
    sender: SENDER,
    allowedHosts: [],
  });
const all = ({ errors, warnings, info }: Preflight) => [...errors, ...warnings, ...info];

const GOOD = `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>Welcome</title>
<meta name="viewport" content="width=device-width"><meta name="x-apple-disable-message-reformatting">
<meta name="color-scheme" content="light"><meta name="supported-color-schemes" content="light"></head>
<body style="background:#ffffff;color:#222222">
<div style="display:none">Your first steps, each in a minute or less</div>
<h1>Hi {the user's First Name, or "there"}</h1>
{if the user's VIP}<p>Thank you.</p>{else}<p>Welcome.</p>{end if}
<p><a href="https://acme.com/start?u={the user's Id}">Take the first step</a></p>
<p><a href="https://acme.com/unsubscribe" data-tracking="off">Unsubscribe</a></p>
</body>
</html>`;

test('a good template passes, with nothing but what the workspace says', () => {
  const result = examine(GOOD);
  expect(all(result).map(({ code }) => code)).toEqual([RULES.sender_shared_domain.code]);
  expect(result.pass).toBe(true);
});

test('an error fails it; place and hint are told', () => {
  const result = examine(GOOD.replace('https://acme.com/start', '/start'));
  expect(result.pass).toBe(false);
  expect(result.errors).toEqual([
    {
      category: 'links',
      severity: 'error',
      code: RULES.link_relative.code,
      message: 'The link “href="/start?u={the user\'s Id}"” is relative, which does not work in an email.',
      line: 10,
      column: 4,
      hint: RULES.link_relative.fix,
    },
  ]);
});

test('warnings and information do not fail it', () => {
  const result = examine('<p style="font-size:9px">Hello</p>');
  expect(result.pass).toBe(true);
  expect(result.warnings.length).toBeGreaterThan(0);
  expect(result.info.length).toBeGreaterThan(0);
});

test.each([
  ['a syntax error', "<p>\n{the user's Name", null, 'template_error', 2],
  ['a guillemet pair', '<p>\n«name»</p>', null, 'placeholder', 2],
  ['an encoded guillemet', '<p>&laquo;name&raquo;</p>', null, 'placeholder', 1],
  ['a guillemet in the subject', '<p>x</p>', '«name»', 'placeholder', null],
  ['a syntax error in the subject', '<p>x</p>', "{the user's Name", 'template_error', null],
] satisfies [string, string, string | null, RuleName, number | null][])(
  '%s is an error, told once',
  (_name, html, subject, rule, line) => {
    const result = examine(html, subject ?? undefined);
    const found = result.errors.filter(({ code }) => code === RULES[rule].code);
    expect(found.map((item) => item.line)).toEqual([line]);
  },
);

test('of each code a bounded number is shown, and the rest counted', () => {
  const { errors } = examine('<a href="/x">the shop</a>\n'.repeat(50));
  expect(errors).toHaveLength(MAX_PER_CODE + 1);
  expect(errors.at(-1)).toMatchObject({
    code: RULES.link_relative.code,
    message: 'And 30 more of this kind.',
    line: null,
  });
});

test('a template without a subject fails: nothing can be sent with it', () => {
  expect(examine(GOOD, null).errors.map(({ code }) => code)).toEqual(['SJ001']);
});

test('every rule has a code of its own category, words, and a category of the specification', () => {
  const rules = Object.values(RULES);
  expect(new Set(rules.map(({ code }) => code)).size).toBe(rules.length);
  for (const { code, category, preflight: face, title, cause, fix } of rules) {
    expect(code).toMatch(new RegExp(`^${CATEGORY_LETTERS[category]}\\d{3}$`));
    expect(PREFLIGHT_CATEGORIES).toContain(face);
    expect([title, cause, fix]).not.toContain('');
  }
});

test('is deterministic and never throws, whatever the template', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      '<div>',
      '</div>',
      '<b>',
      '</b>',
      '<table>',
      '<td>',
      '</td>',
      '<style>',
      '</style>',
      '<a href="',
      '">',
      '<img src=',
      '<p style="color:',
      "{the user's A}",
      "{if the user's A}",
      '{else}',
      '{end if}',
      '{% if a %}',
      '{{ a }}',
      '&laquo;',
      '<!--',
      '-->',
      '<svg>',
      '<select>',
      '<template>',
      'a{b:c}',
      '@media',
      'url(',
      'https://',
      '//',
      '#',
      '\0',
      '\f',
      '\r',
      ...['constructor', '__proto__', 'hasownproperty', 'valueof', 'tostring'].flatMap((name) => [
        name,
        `<${name} ${name}="${name}">`,
        `</${name}>`,
        `<p style="font-size:${name};${name}:${name};display:${name};width:${name}(1)">x</p>`,
        `<style>${name}{${name}:1${name}} @${name} (${name}){} .a:${name}{font:${name}}</style>`,
        `<img src="a.${name}" type=${name}>`,
      ]),
      '@media (%){a{color:red}}',
      '<form>',
      '<title>',
      '<textarea>',
      '%',
      '*|A|*',
      '\ud800',
    ),
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 40 }),
      fc.option(fc.string({ unit: 'binary' })),
      (pieces, subject) => {
        const html = pieces.join('');
        const result = examine(html, subject);
        expect(result.pass).toBe(result.errors.length === 0);
        expect(examine(html, subject)).toEqual(result);
        const placed = all(result).filter(({ line }) => line !== null);
        expect(placed.filter(({ line, column }) => !(Number(line) > 0 && Number(column) > 0))).toEqual([]);
      },
    ),
    { numRuns: runs(300) },
  );
});

/** Beyond each bound, even in the short form of the tests. */
const SIZE = repetitions({ short: 400_000, full: 2_000_000 });
const RULES_FOR_ALL = repetitions({ short: 2_200, full: 11_000 });
const PARAGRAPHS = repetitions({ short: 1_400, full: 7_000 });
const rep = (text: string): string => text.repeat(Math.floor(SIZE / text.length));

/** Inputs that would take minutes or much memory without a bound; the test timeout catches one that hangs. */
test.each<[string, string, boolean]>([
  ['open elements', rep('<div>'), true],
  ['misnested formatting', rep('<b><i></b>'), true],
  [
    'formatting that parsers repeat',
    `<div>${Array.from({ length: 300 }, (_, i) => `<font a=${i}>`).join('')}</div>${'<p>x'.repeat(14_000)}`,
    true,
  ],
  ['paragraphs', rep('<p>x</p>'), true],
  ['tables', rep('<table><td>'), true],
  ['nested rules', `<style>${rep('a{')}</style>`, false],
  ['rules that are none', `<style>${rep('a{b}')}</style>`, false],
  [
    'rules for all',
    `<style>${'p{color:#123}'.repeat(RULES_FOR_ALL)}</style>${'<p>x</p>'.repeat(PARAGRAPHS)}`,
    false,
  ],
  [
    'attributes',
    `<a ${Array.from({ length: repetitions({ short: 60_000, full: 300_000 }) }, (_, i) => `a${i}`).join(' ')}>x</a>`,
    false,
  ],
  ['opening brackets', rep('<'), false],
  ['braces', rep('{'), false],
  ['tags that do not end', rep('<a '), false],
  ['conditional comments', rep('<!--[if mso]>-->'), false],
  ['expressions', rep("{the user's A}"), false],
  ['conditions left open', rep("{if the user's A}"), false],
  ['guillemets', rep('«'), false],
  ['merge tags', rep('*|A'), false],
  ['one long address', `<a href="https://${rep('a')}">x</a>`, false],
  ['dots in a link', `<a href="https://acme.com">${rep('.')}x</a>`, false],
  [
    'digits of a width',
    `<p style="letter-spacing:-${'0'.repeat(140_000)}px;line-height:${'1'.repeat(500)}x">x`,
    false,
  ],
  ['a row of digits', `<p style="line-height:${'1'.repeat(140_000)}x">x</p>`, false],
  ['digits of a size', `<p style="font-size:${'1'.repeat(140_000)}x">x</p>`, false],
  ['blanks in a width', `<img src="https://acme.com/a.png" width="1${rep(' ')}x" height=1>`, false],
  ['blanks in an address', `<p style="background:url(${' '.repeat(140_000)}">x</p>`, false],
  ['one long style', `<p style="background:${rep('url(x) ')}">x</p>`, false],
])(`up to ${SIZE} characters of %s get an answer`, (_name, html, tooComplex) => {
  const result = examine(html.slice(0, 2_097_152));
  expect(result.warnings.some(({ code }) => code === RULES.too_complex.code)).toBe(tooComplex);
  expect(all(result).length).toBeLessThan(Object.keys(RULES).length * (MAX_PER_CODE + 1));
});
