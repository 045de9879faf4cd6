/** Each fix removes its finding when the fixed source is checked again. */
import { analyse } from '../analysis/analyse.js';
import type { RuleFinding } from '../findings/finding.js';
import type { RuleName } from '../rules/catalogue.js';
import { applyEdits } from './apply-edits.js';

const SENTENCE =
  'This is the news that you have been waiting for, with the plans and your dates from this week.';

function found(bodyHtml: string, rule: RuleName): readonly RuleFinding[] {
  const { findings } = analyse({
    content: { subject: 'News', bodyHtml, bodyText: SENTENCE, templateLanguage: null },
    preheader: null,
    channel: 'email',
    sender: {
      fromEmail: 'a@acme.com',
      replyTo: undefined,
      companyComplete: true,
      live: true,
      sharedDomain: 's.acme.com',
      isOwnDomain: true,
    },
    sample: null,
    allowedHosts: [],
    now: new Date(0),
  });
  return findings.filter((finding) => finding.rule === rule);
}

const page = (body: string): string =>
  `<!DOCTYPE html>\n<html>\n<head><title>T</title></head>\n<body class="b">\n<p>${SENTENCE}</p>${body}</body></html>`;

test.each<[RuleName, string, string]>([
  ['image_without_alt', '<img src="https://acme.com/a" width="1">', '<img alt="" src='],
  ['lang_missing', '', '<html lang="en">'],
  [
    'preheader_missing',
    '',
    '<body class="b">\n<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">This is the',
  ],
  ['tag_unclosed', '<div>x', '<div>x</div></body>'],
  ['tag_misnested', '<div><span>x</div>', '<div><span>x</span></div>'],
  ['tag_unopened', 'x</span>', '<p>'],
  [
    'font_fallback_missing',
    '<p style="font-family:&quot;Open Sans&quot;;margin:0">x</p>',
    '&quot;Open Sans&quot;, sans-serif;margin',
  ],
  [
    'font_generic_missing',
    '<p style="color:#333333;font-family: Georgia, \'Times New Roman\' !important">x</p>',
    "'Times New Roman', serif !important",
  ],
  [
    'font_generic_missing',
    '<style>p{color:#333333;font-family:Arial,Helvetica}\nb{FONT-FAMILY:Arial,Helvetica;}</style><p style="font-family:Arial,Helvetica">x</p>',
    'b{FONT-FAMILY:Arial,Helvetica, sans-serif;}',
  ],
  ['charset_missing', '', '<head>\n<meta charset="utf-8">'],
])('%s', (rule, body, expected) => {
  const source = page(body);
  const findings = found(source, rule);
  expect(findings).toHaveLength(1);
  expect(findings[0]?.isSuggestion).toBeUndefined();
  const mended = applyEdits(source, findings[0]?.edits ?? []);
  expect(mended).toContain(expected);
  expect(found(mended, rule)).toEqual([]);
});

test.each<[RuleName, string, string]>([
  [
    'link_insecure',
    '<a class="x" href="http://acme.com/?u=1">Our plans</a>',
    '<a class="x" href="https://acme.com/?u=1">',
  ],
  ['image_insecure', '<img alt="a" src=http://acme.com/a.png>', '<img alt="a" src=https://acme.com/a.png>'],
  ['image_without_alt', '<img src="https://acme.com/summer-sale@2x.png">', '<img alt="Summer sale" src='],
  ['image_without_alt', '<img src="https://acme.com/summer%20sale.avif">', '<img alt="Summer sale" src='],
  ['image_without_alt', '<img src="https://acme.com/spacer.gif">', '<img alt="" src='],
])('%s is suggested: %s', (rule, body, expected) => {
  const source = page(body);
  const [finding] = found(source, rule);
  expect(finding?.isSuggestion).toBe(true);
  expect(applyEdits(source, finding?.edits ?? [])).toContain(expected);
});

test.each<[RuleName, string]>([
  ['image_without_alt', '<img src="https://acme.com/9f8e7d.png">'],
  ['image_without_alt', '<img src="{{ event.picture }}">'],
])('%s is left to its author: %s', (rule, body) => {
  expect(found(page(body), rule).map(({ edits }) => edits)).toEqual([undefined]);
});

test.each<[RuleName, string, string]>([
  ['doctype_missing', '<html><body><p>x</p></body></html>', '<!DOCTYPE html>\n<html>'],
  ['title_missing', '<html><head></head><body>x</body></html>', '<head>\n<title>News</title></head>'],
  ['title_missing', '<html><head><title></title></head><body>x</body></html>', '<title>News</title>'],
  [
    'lang_missing',
    '<html><body>Wir haben eine Neuigkeit für Sie und das ist nicht alles, mit der</body></html>',
    '<html lang="de">',
  ],
  ['lang_missing', '<html><body>こんにちは</body></html>', '<html lang="ja">'],
])('a frame: %s in %s', (rule, source, expected) => {
  const [finding] = found(source, rule);
  const mended = applyEdits(source, finding?.edits ?? []);
  expect(mended).toContain(expected);
  expect(found(mended, rule)).toEqual([]);
});

test.each<[RuleName, string]>([
  ['doctype_missing', '<html><body><p><table><tr><td>x</td></tr></table></body></html>'],
  ['lang_missing', '<html><body>Привет, это новости</body></html>'],
  ['lang_missing', '<p>x</p>'],
  ['font_generic_missing', '<p style=font-family:Arial>x</p>'],
])('%s is left alone in %s', (rule, source) => {
  expect(found(source, rule).map(({ edits }) => edits)).toEqual([undefined]);
});

test.each(['<html><body>x</body></html>', '<html lang=""><body>x</body></html>'])(
  'a language that the text does not tell is suggested: %s',
  (source) => {
    const [finding] = found(source, 'lang_missing');
    expect(finding?.isSuggestion).toBe(true);
    expect(applyEdits(source, finding?.edits ?? [])).toContain('<html lang="en">');
  },
);
