import { findSpam } from './find-spam.js';

test('findings stand where the stored body has what is rendered', () => {
  const html = '<p>Ada</p><p>Act now</p>';
  const pieces = [
    { rendered: 0, source: 0, isText: true },
    { rendered: 3, source: 3, isText: false },
    { rendered: 6, source: 25, isText: true },
  ];
  const sender = { fromEmail: undefined, fromName: undefined, replyTo: undefined };
  const { findings } = findSpam({ message: { subject: 'A subject', html, text: '' }, pieces, sender });
  expect(findings.find(({ rule }) => rule === 'phrase_pressure')).toEqual({
    rule: 'phrase_pressure',
    message: 'The message says “act now”.',
    at: 32,
    until: 39,
    target: 'act now',
  });
});
