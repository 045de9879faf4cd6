/** Placeholder text that was left in. */
import { parseSource } from '../../../../language/language.js';
import { checkGuillemets, checkLeftOverText, checkSubjectText } from './left-over-text.js';
import { readEmail } from '../email/parsed-email.js';
import { RULES } from '../rules/catalogue.js';
import type { SenderInputs } from './sender.js';
import { sourceFindings } from './source-findings.js';

const SENDER: SenderInputs = {
  fromEmail: 'hello@acme.test',
  replyTo: undefined,
  companyComplete: true,
  live: true,
  sharedDomain: 'mail.localhost',
  isOwnDomain: true,
};

const codes = (html: string): string[] => {
  const { email } = readEmail(html, parseSource(html, 'nlt').tree.nodes);
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
  ['Hi %recipient.first_name%', ['foreign_merge_tag']],
  ['Hi %recipient_name%', ['foreign_merge_tag']],
  ['<a href="%tag_unsubscribe_url%">x</a>', ['foreign_merge_tag']],
  ['<a href="%unsubscribe_url%">x</a>', ['foreign_merge_tag']],
  ['Hi [Name,fallback=there]', ['foreign_merge_tag']],
  ['Hi [Name]', ['foreign_merge_tag']],
  ['Sent to [Email]', ['foreign_merge_tag']],
  ['<a href="[unsubscribe]">x</a>', ['foreign_merge_tag']],
  ['<a href="[webversion]">x</a>', ['foreign_merge_tag']],
  ['[currentmonth]', ['foreign_merge_tag']],
  ['Hi [FIRST_NAME/there]', ['foreign_merge_tag']],
  ['Hi [FIRST_NAME]', ['foreign_merge_tag']],
  ['<a href="[LINK_UNSUBSCRIBE]">x</a>', ['foreign_merge_tag']],
  ['[MERGE_CITY]', ['foreign_merge_tag']],
  ['the recipient of 10%', []],
  ['[name]', []],
  ['[emails]', []],
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

test.each([
  '{contactfield=firstname}',
  '{contactfield=firstname|there}',
  '{ownerfield=email}',
  '{unsubscribe_url}',
  '{webview_text}',
  '{pagelink=3}',
])('the merge tag %s is critical, whatever finds it', (tag) => {
  const facts = {
    subject: 'Hi',
    bodyHtml: `<p>Hi ${tag}</p>`,
    bodyText: 'Hi',
    templateLanguage: 'nlt',
  } as const;
  const critical = sourceFindings(facts, SENDER).filter(({ rule }) => RULES[rule].severity === 'critical');
  expect(critical.map(({ rule }) => rule)).toContainEqual(
    expect.stringMatching(/^(?:foreign_merge_tag|template_error)$/),
  );
});

test.each(['{{ now() }}', '{{ x | strftime("%d") }}', '{% include "a" %}'])(
  'what validation doubts and readers would see is told as what it is: %s',
  (expression) => {
    for (const templateLanguage of ['nlt', 'jinja2'] as const) {
      const facts = { subject: 'Hi', bodyHtml: `<p>${expression}</p>`, bodyText: 'Hi', templateLanguage };
      const rules = sourceFindings(facts, SENDER).map(({ rule }) => rule);
      expect(rules.filter((rule) => /^(?:foreign_merge_tag|template_)/.test(rule))).toEqual([
        expect.stringMatching(/^(?:foreign_merge_tag|template_error)$/),
      ]);
    }
  },
);

test('tells the exact place', () => {
  const html = '<p>\nHi *|FNAME|*</p>';
  const { email } = readEmail(html, parseSource(html, null).tree.nodes);
  expect(email && checkLeftOverText(email)).toMatchObject([{ at: html.indexOf('*|') }]);
});

test.each([
  ['Hi «name»', '', ['placeholder']],
  ['', '<p>«name» and »</p>', ['placeholder', 'placeholder']],
  ['', '<p>&laquo;name&#187;</p>', ['placeholder']],
  ['&#xAB;name', '', ['placeholder']],
  ['Hi', '<p>none</p>', []],
])('guillemets in %j and %j', (subject, html, expected) => {
  const found = [...checkGuillemets('subject', subject), ...checkGuillemets('body', html)];
  expect(found.map(({ rule }) => rule)).toEqual(expected);
});

test('a subject is searched as well', () => {
  expect(checkSubjectText('Hi *|FNAME|*, TBD').map(({ rule }) => rule)).toEqual([
    'foreign_merge_tag',
    'placeholder_text',
  ]);
});
