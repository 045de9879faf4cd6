import { compileVersion } from './compiled-version.js';
import { deriveText } from './derive-text.js';
import type { Template } from './template.js';

function template(bodyHtml: string, subject: string | null = null): Template {
  const moment = new Date('2026-03-02T09:00:00Z');
  return {
    id: 'id',
    name: 'Welcome',
    slug: 'welcome',
    subject,
    bodyHtml,
    bodyText: deriveText(bodyHtml),
    bodyAst: null,
    templateLanguage: null,
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
