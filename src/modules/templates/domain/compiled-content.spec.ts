import { compileContent } from './compiled-content.js';
import fc from 'fast-check';
import { textOf } from './new-template.js';
import type { Template } from './template.js';

function template(
  bodyHtml: string,
  subject: string | null = null,
  templateLanguage: Template['templateLanguage'] = null,
): Template {
  const moment = new Date('2026-03-02T09:00:00Z');
  return {
    id: 'id',
    name: 'Welcome',
    slug: 'welcome',
    subject,
    bodyHtml,
    bodyText: textOf({ bodyHtml, subject, templateLanguage }),
    bodyAst: null,
    templateLanguage,
    topic: null,
    isActive: true,
    version: 3,
    validationStatus: 'valid',
    validationErrors: [],
    createdAt: moment,
    updatedAt: moment,
  };
}

const CONTEXT = { contact: { first_name: 'Ada & Co' }, now: new Date('2026-03-02T09:00:00Z') };

test('renders subject, HTML and text of one version', () => {
  const compiled = compileContent(
    template("<p>Hi {the user's First Name}</p>", "For {the user's First Name}"),
  );
  expect(compiled.subject?.render(CONTEXT)).toEqual({ kind: 'rendered', text: 'For Ada & Co' });
  expect(compiled.html.render(CONTEXT)).toEqual({ kind: 'rendered', text: '<p>Hi Ada &amp; Co</p>' });
  expect(compiled.text.render(CONTEXT)).toEqual({ kind: 'rendered', text: 'Hi Ada & Co' });
  expect(compiled).toMatchObject({ hasErrors: false, unresolvedPlaceholder: false, eventKeys: [] });
});

test('has no subject when none is stored', () => {
  expect(compileContent(template('x')).subject).toBeNull();
});

test('names the events that subject and body read', () => {
  const body = '{the Plan from the signed up event} {the Amount from the trigger event}';
  const subject = '{the Plan from the signed up event} {the City from the moved event}';
  const { eventKeys } = compileContent(template(body, subject));
  expect(new Set(eventKeys.map(({ folded }) => folded))).toEqual(new Set(['moved', 'signedup']));
});

test('tells of errors', () => {
  expect(compileContent(template('{if the A exists}')).hasErrors).toBe(true);
  expect(compileContent(template('x', '{end if}')).hasErrors).toBe(true);
});

test('renders Jinja2, also the text that was made from it', () => {
  for (const language of ['jinja2', null] as const) {
    const compiled = compileContent(
      template('<p>Hi {{ contact.first_name }}</p>', 'For {{ contact.first_name }}', language),
    );
    expect(compiled.subject?.render(CONTEXT)).toEqual({ kind: 'rendered', text: 'For Ada & Co' });
    expect(compiled.html.render(CONTEXT)).toEqual({ kind: 'rendered', text: '<p>Hi Ada &amp; Co</p>' });
  }
  const converted = {
    ...template('{{ contact.first_name }}', null, 'jinja2'),
    bodyText: "{the user's First Name}",
  };
  expect(compileContent(converted).text.render(CONTEXT)).toEqual({ kind: 'rendered', text: 'Ada & Co' });
});

describe('what is text in the HTML is the same text in the plain part', () => {
  const rendered = (html: string, language: Template['templateLanguage']): (string | undefined)[] => {
    const compiled = compileContent(template(html, null, language));
    return [compiled.html, compiled.text].map((part) => {
      const result = part.render(CONTEXT);
      return result.kind === 'rendered' ? result.text : undefined;
    });
  };
  const decoded = (html = ''): string =>
    html
      .replace(/&#123;|&lbrace;/g, '{')
      .replace(/&#125;/g, '}')
      .replace(/&#116;/g, 't')
      .replace(/&amp;/g, '&');

  test.each([
    ['Jinja2 that is never closed', 'Use &#123;% if x %&#125; in Jinja', null],
    ['a required value', 'Write &#123;the Code, required&#125; here', null],
    ['a value', "&#123;the user's First Name&#125; &lbrace;the user's First Name}", null],
    ['a value of Jinja2', '&#123;&#123; contact.first_name &#125;&#125; &#123;{ contact.first_name }}', null],
    ['a letter as an entity', "{&#116;he user's First Name}", null],
    ['a condition', "&#123;if the user's First Name exists&#125;", null],
    ['NLT beside Jinja2', "{the user's First Name} {{ contact.first_name }}", 'jinja2'],
    ['Jinja2 beside NLT', "{the user's First Name} {{ contact.first_name }}", 'nlt'],
    ['Jinja2 without a counterpart', "{{ foo('{today}') }} {% raw %}{{ today }} {today}{% endraw %}", null],
  ] as const)('%s', (_name, html, language) => {
    const [shown, text] = rendered(html, language);
    expect(shown).toBeDefined();
    expect(text).toBe(decoded(shown));
    expect(text).not.toMatch(/[\u2061\u2063\u2064]/);
  });

  test('whatever stands side by side', () => {
    const pieces = [
      '&#123;',
      '{',
      '&#125;',
      '}',
      "the user's First Name",
      'today',
      '%',
      '#',
      "{the user's First Name}",
    ];
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...pieces), { maxLength: 12 }),
        fc.constantFrom(null, 'nlt', 'jinja2'),
        (some, language) => {
          const [shown, text] = rendered(`x${some.join('')}x`, language);
          if (shown !== undefined) expect(text).toBe(decoded(shown));
        },
      ),
    );
  });
});

test.each([
  [
    'a query',
    '<a href="https://x.test/?q={the x}">a</a>',
    'T & H 50%',
    'a (https://x.test/?q=T%20%26%20H%2050%25)',
  ],
  ['a parameter', '<a href="/?e={the x}&amp;n={the x}">a</a>', 'x&b=1', 'a (/?e=x%26b%3D1&n=x%26b%3D1)'],
  ['line breaks', '<a href="https://x.test/{the x}">a</a>', 'a\r\nb', 'a (https://x.test/a%0D%0Ab)'],
  ['line breaks in an address', '<a href="{the x}">a</a>', 'https://x.test/\r\n', 'a (https://x.test/)'],
  ['a script', '<a href="{the x}">a</a>', 'javascript:alert(1)', 'a (#)'],
  ['an address', '<a href="{the x}">a</a>', 'https://x.test/?a=b&c', 'a (https://x.test/?a=b&c)'],
  ['a quotation mark in the address', "<a href='/?\"={the x}'>a</a>", '&', 'a (/?"=%26)'],
  ['an address without text', '<a href="/?q={the x}"></a>', '&', '/?q=%26'],
  ['a condition', '<a href="/{if the x exists}?q={the x}{end if}">a</a> {the x}', '&', 'a (/?q=%26) &'],
  ['brackets that are no link', '(https://x.test/?q={the x})', '&', '(https://x.test/?q=&)'],
  ['HTML', `<a href="/?q={the x, as 'html'}">a</a>`, '%26', 'a (/?q=%26)'],
])('encodes values in links of the text: %s', (_name, html, x, text) => {
  const context = { ...CONTEXT, contact: { x } };
  expect(compileContent(template(html)).text.render(context)).toEqual({ kind: 'rendered', text });
});

test('a loop around rows gives a line for each', () => {
  const html =
    '<table><tr><th>Item</th><th>Qty</th></tr>{for each I in the list}<tr><td>{the I}</td><td>1</td></tr>{end for}</table><p>Bye</p>';
  const context = { ...CONTEXT, contact: { list: ['Mug', 'Tea'] } };
  expect(compileContent(template(html)).text.render(context)).toEqual({
    kind: 'rendered',
    text: 'Item Qty\nMug 1\nTea 1\n\nBye',
  });
});

test('leaves Jinja2 alone in a template pinned to nlt', () => {
  const compiled = compileContent(template('{{ contact.first_name }}', null, 'nlt'));
  expect(compiled.html.render(CONTEXT)).toEqual({ kind: 'rendered', text: '{{ contact.first_name }}' });
});

test.each([
  ['none', 'x', null, false, false],
  ['a literal one in the body', '«x»', null, true, true],
  ['a literal one in the subject', 'x', 'Hi «', true, true],
  ['one as an entity in the body', '&laquo;x', null, true, false],
  ['one as an entity in the subject', 'x', '&#xAB;', true, false],
])('tells of placeholders: %s', (_name, body, subject, unresolvedPlaceholder, hasErrors) => {
  expect(compileContent(template(body, subject))).toMatchObject({ unresolvedPlaceholder, hasErrors });
});
