/** Text that stands for other text. */
import { readSource } from '../../../../language/language.js';
import { checkGuillemets, checkLeftOverText, checkSubjectText } from './left-over-text.js';
import { readEmail } from '../email/parsed-email.js';

const codes = (html: string): string[] => {
  const { email } = readEmail(html, readSource(html, 'nlt').tree.nodes);
  return email ? checkLeftOverText(email).map(({ rule }) => rule) : ['too complex'];
};

test.each<[string, string[]]>([
  ['Hi *|FNAME|*', ['foreign_merge_tag']],
  ['Hi {{ contact.first_name }}', ['foreign_merge_tag']],
  ['Hi {{{ name }}}', ['foreign_merge_tag']],
  ['{% if x %}Hi{% endif %}', ['foreign_merge_tag', 'foreign_merge_tag']],
  ['Hi &lt;%= name %&gt;', ['foreign_merge_tag']],
  ['Hi ${name}', ['foreign_merge_tag']],
  ['Hi [[name]]', ['foreign_merge_tag']],
  ['Hi %%First Name%%', ['foreign_merge_tag']],
  ['Hi %FIRSTNAME%', ['foreign_merge_tag']],
  ['50% OFF and 20% MORE', []],
  ['100%', []],
  ['Lorem Ipsum', ['filler_text']],
  ['[FIRST NAME]', ['placeholder_text']],
  ['[insert date here]', ['placeholder_text']],
  ['[Your company]', ['placeholder_text']],
  ['[1]', []],
  ['[sic]', []],
  ['TO' + 'DO: write', ['placeholder_text']],
  ['mañana todo', []],
  ['XXX', ['placeholder_text']],
  ['size XXL', []],
  ['Your text here', ['placeholder_text']],
  ['<a href="https://a.com/%%id%%">x</a>', ['foreign_merge_tag']],
  ['<img alt="[LOGO]">', ['placeholder_text']],
  ["Hi {the user's First Name}", []],
  ['<script>var a = "${x}"</script>', []],
])('%s', (html, expected) => {
  expect(codes(html)).toEqual(expected);
});

test('tells the exact place', () => {
  const html = '<p>\nHi *|FNAME|*</p>';
  const { email } = readEmail(html, readSource(html, null).tree.nodes);
  expect(email && checkLeftOverText(email)).toMatchObject([{ at: html.indexOf('*|') }]);
});

test.each([
  ['Hi «name»', '', ['placeholder']],
  [null, '<p>«name» and »</p>', ['placeholder', 'placeholder']],
  [null, '<p>&laquo;name&#187;</p>', ['placeholder']],
  ['&#xAB;name', '', ['placeholder']],
  ['Hi', '<p>none</p>', []],
])('guillemets in %j and %j', (subject, html, expected) => {
  expect(checkGuillemets(subject, html).map(({ rule }) => rule)).toEqual(expected);
});

test('a subject is searched as well', () => {
  expect(checkSubjectText('Hi *|FNAME|*, TBD').map(({ rule }) => rule)).toEqual([
    'foreign_merge_tag',
    'placeholder_text',
  ]);
});
