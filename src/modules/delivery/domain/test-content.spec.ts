import { readTestContent } from './test-content.js';

const NOW = new Date('2026-03-02T09:00:00.000Z');

function render(subject: string, bodyHtml: string, contact: Record<string, unknown> = {}) {
  const content = readTestContent(subject, bodyHtml, NOW);
  return content.kind === 'ready' ? content.render({ contact, now: NOW }) : content;
}

test('renders the subject, the body and a text made from the body', () => {
  expect(
    render('Hi {the user\'s First Name, or "there"}', '<p>Dear {the user\'s First Name, or "friend"}</p>', {
      first_name: 'A & B',
    }),
  ).toEqual({ kind: 'rendered', subject: 'Hi A & B', html: '<p>Dear A &amp; B</p>', text: 'Dear A & B' });
  expect(render('Hi {the user\'s First Name, or "there"}', '<p>Hi</p>')).toMatchObject({
    subject: 'Hi there',
  });
});

test.each([
  ['Hi «name»', '<p>Hi</p>'],
  ['Hi', '<p>Hi «name»</p>'],
  ['Hi', '<p>Hi &laquo;name&raquo;</p>'],
  ['Hi', '<p>Hi &#171;name&#xBB;</p>'],
  ['Hi', '<p>a lone »</p>'],
  ['Hi', '{the user\'s First Name, or "«name»"}'],
  // Of two reasons, the placeholder is reported.
  ['Hi «name»', '{if the A exists}'],
])('a placeholder blocks it: %s, %s', (subject, body) => {
  expect(readTestContent(subject, body, NOW)).toEqual({ kind: 'blocked', reason: 'unresolved_placeholder' });
});

test('a guillemet in a value is none to fill in', () => {
  expect(render('Hi', "<p>{the user's First Name}</p>", { first_name: '«Ada»' })).toMatchObject({
    kind: 'rendered',
    html: '<p>«Ada»</p>',
  });
});

test.each([
  ['{end if}', '<p>Hi</p>'],
  ['Hi', '<p>{if the A exists}</p>'],
])('a syntax error blocks it: %s, %s', (subject, body) => {
  expect(readTestContent(subject, body, NOW)).toEqual({ kind: 'blocked', reason: 'template_errors' });
});

test('a required value that is missing is told', () => {
  expect(render('Hi', "<p>{the user's First Name, required}</p>")).toMatchObject({ kind: 'suppressed' });
});

test('what cannot be rendered is told', () => {
  const loop = "{for each A in the user's Items}{for each B in the user's Items}x{end for}{end for}";
  expect(render('Hi', loop, { items: Array<number>(200).fill(1) })).toMatchObject({ kind: 'failed' });
});
