/** Features that many clients lack, by the published data. */
import { parseSource } from '../../../../language/language.js';
import { checkClientSupport, POOR_SUPPORT_SHARE } from './client-support.js';
import { readEmail } from '../email/parsed-email.js';
import { SUPPORT } from './support-data.js';

const unsupportedIn = (html: string): [string, string][] => {
  const { email } = readEmail(html, parseSource(html, null).tree.nodes);
  if (!email) return [];
  return checkClientSupport(email).map(({ rule, message }) => [
    rule,
    message.split(' is not supported')[0] ?? '',
  ]);
};
const POORLY = 'client_support_poor';
const PARTLY = 'client_support_partial';

test.each<[string, string, [string, string][]]>([
  ['a plain table', '<table width="600"><tr><td align="left">x</td></tr></table>', []],
  ['common style', '<p style="padding:4px;width:10px;border:0;text-align:left">x</p>', []],
  ['a video has a rule of its own', '<video></video>', []],
  ['a picture', '<picture></picture>', [['html_support_poor', '<picture> element']]],
  ['a grid', '<p style="display:grid">x</p>', [[POORLY, 'display:grid']]],
  ['a gap', '<p style="column-gap:4px">x</p>', [[POORLY, 'gap, column-gap, row-gap']]],
  ['calc', '<p style="width:calc(1px + 2px)">x</p>', [[POORLY, 'CSS calc() function']]],
  ['a variable', '<p style="width:var(--a)">x</p>', [[POORLY, 'CSS Variables (Custom Properties)']]],
  ['flexible boxes', '<p style="display:flex">x</p>', [[PARTLY, 'display:flex']]],
  ['rounded corners', '<p style="border-radius:4px">x</p>', [[PARTLY, 'border-radius']]],
  ['a font face', '<style>@font-face{font-family:A}</style>', [[PARTLY, '@font-face']]],
  ['webp is fine', '<img src="https://a.com/x.webp">', []],
  ['avif', '<img src="https://a.com/x.avif?a=b">', [['image_support_poor', 'AVIF image format']]],
  ['an embedded drawing has a rule of its own', '<svg></svg>', []],
  ['an expression', '<p style="display:{the user\'s Display}">x</p>', []],
])('%s', (_name, html, expected) => {
  expect(unsupportedIn(html)).toEqual(expected);
});

test('one finding per feature and element, with clients and share', () => {
  const html = '<p style="display:grid">x</p>\n<p style="display:grid">y</p>';
  const { email } = readEmail(html, parseSource(html, null).tree.nodes);
  const findings = email ? checkClientSupport(email) : [];
  expect(findings).toMatchObject([
    { at: 0, until: 24, part: 'css-display-grid' },
    { at: 30, until: 54, part: 'css-display-grid' },
  ]);
  expect(findings[0]?.clients).toContain('outlook_windows');
  expect(findings[0]?.message).toMatch(
    /^display:grid is not supported by \d+ % of mail program families: .*Outlook/,
  );
});

test('the data hold what is looked up in them', () => {
  expect(SUPPORT.size).toBeGreaterThan(300);
  expect(SUPPORT.get('html-table')?.unsupported).toBe(0);
  expect(SUPPORT.get('html-video')?.unsupported).toBeGreaterThan(POOR_SUPPORT_SHARE);
  for (const { unsupported, partial } of SUPPORT.values()) {
    expect(unsupported + partial).toBeLessThanOrEqual(1.000_001);
  }
});
