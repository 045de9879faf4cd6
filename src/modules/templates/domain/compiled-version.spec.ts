import { compileVersion } from './compiled-version.js';
import { deriveText } from './derive-text.js';
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
    bodyText: deriveText(bodyHtml),
    bodyAst: null,
    templateLanguage,
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
  const compiled = compileVersion(
    template("<p>Hi {the user's First Name}</p>", "For {the user's First Name}"),
  );
  expect(compiled.subject?.render(CONTEXT)).toEqual({ kind: 'rendered', text: 'For Ada & Co' });
  expect(compiled.html.render(CONTEXT)).toEqual({ kind: 'rendered', text: '<p>Hi Ada &amp; Co</p>' });
  expect(compiled.text.render(CONTEXT)).toEqual({ kind: 'rendered', text: 'Hi Ada & Co' });
  expect(compiled).toMatchObject({ slug: 'welcome', version: 3, isActive: true, hasErrors: false });
});

test('has no subject when none is stored', () => {
  expect(compileVersion(template('x')).subject).toBeNull();
});

test('names the events that subject and body read, each once', () => {
  const body = '{the Plan from the signed up event} {the Amount from the trigger event}';
  const subject = '{the Plan from the signed up event} {the City from the moved event}';
  expect([...compileVersion(template(body, subject)).eventNames].sort()).toEqual(['moved', 'signed up']);
});

test('tells of errors', () => {
  expect(compileVersion(template('{if the A exists}')).hasErrors).toBe(true);
  expect(compileVersion(template('x', '{end if}')).hasErrors).toBe(true);
});

test('renders Jinja2, also the text that was made from it', () => {
  for (const language of ['jinja2', null] as const) {
    const compiled = compileVersion(
      template('<p>Hi {{ contact.first_name }}</p>', 'For {{ contact.first_name }}', language),
    );
    expect(compiled.subject?.render(CONTEXT)).toEqual({ kind: 'rendered', text: 'For Ada & Co' });
    expect(compiled.html.render(CONTEXT)).toEqual({ kind: 'rendered', text: '<p>Hi Ada &amp; Co</p>' });
  }
  const converted = {
    ...template('{{ contact.first_name }}', null, 'jinja2'),
    bodyText: "{the user's First Name}",
  };
  expect(compileVersion(converted).text.render(CONTEXT)).toEqual({ kind: 'rendered', text: 'Ada & Co' });
});

test('leaves Jinja2 alone in a template pinned to nlt', () => {
  const compiled = compileVersion(template('{{ contact.first_name }}', null, 'nlt'));
  expect(compiled.html.render(CONTEXT)).toEqual({ kind: 'rendered', text: '{{ contact.first_name }}' });
});

test.each([
  ['none', 'x', null, false, false],
  ['a literal one in the body', '«x»', null, true, true],
  ['a literal one in the subject', 'x', 'Hi «', true, true],
  ['one as an entity in the body', '&laquo;x', null, true, false],
  ['one as an entity in the subject', 'x', '&#xAB;', true, false],
])('tells of placeholders: %s', (_name, body, subject, unresolvedPlaceholder, hasErrors) => {
  expect(compileVersion(template(body, subject))).toMatchObject({ unresolvedPlaceholder, hasErrors });
});
