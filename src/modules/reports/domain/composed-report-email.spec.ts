import { truncationNote, reasonText, withRemarks, withStopLink } from './composed-report-email.js';

test('remarks stand behind all else, as text', () => {
  const letter = { html: '<html><body><p>Hi</p></body></html>', text: 'Hi\n', subject: 's' };
  const { html, text, subject } = withRemarks(letter, ['a <b> & c', 'd']);
  expect(html).toMatch(
    /^<html><body><p>Hi<\/p><p [^>]*>a &lt;b&gt; &amp; c<\/p><p [^>]*>d<\/p><\/body><\/html>$/,
  );
  expect([text, subject]).toEqual(['Hi\n\na <b> & c\n\nd\n', 's']);
  expect(withRemarks({ html: '<p>', text: '' }, ['x']).html).toMatch(/^<p><p .*>x<\/p>$/);
});

test('the link that stops the reports can be seen in both forms', () => {
  const letter = { html: '<html><body><p>Hi</p></body></html>', text: 'Hi\n' };
  const { html, text } = withStopLink(letter, 'https://x.test/stop?token=a&b');
  expect(html).toMatch(
    /<a href="https:\/\/x\.test\/stop\?token=a&amp;b"[^>]*>Stop this report<\/a><\/p><\/body>/,
  );
  expect(text).toBe('Hi\n\nStop this report: https://x.test/stop?token=a&b\n');
});

test('who has it sent is said by name, and the name makes no link', () => {
  const why = reasonText('Win at https://evil.example/prize', 'weekly');
  expect(why).toContain('Win at https evil. example/prize sends it to this address every week');
  expect(reasonText('', 'daily')).toContain('a workspace sends it to this address every day');
});

test('a file that was cut says so', () => expect(truncationNote(12_345)).toContain('first 12,345 rows'));
