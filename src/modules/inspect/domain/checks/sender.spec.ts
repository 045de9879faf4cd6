/** The sender of the message. */
import { checkSender, type SenderInputs } from './sender.js';

const GOOD: SenderInputs = {
  fromEmail: 'hello@acme.test',
  replyTo: undefined,
  companyComplete: true,
  live: true,
  sharedDomain: 'mail.waypost.test',
  isOwnDomain: false,
};

test.each<[string, Partial<SenderInputs>, string[]]>([
  ['all is well', {}, ['sender_shared_domain']],
  ['a verified domain', { isOwnDomain: true }, []],
  ['no sender', { fromEmail: undefined }, ['sender_shared_domain']],
  ['a malformed sender', { fromEmail: 'hello' }, ['sender_malformed']],
  ['an empty sender', { fromEmail: '' }, ['sender_malformed']],
  ['a sender with a line break', { fromEmail: 'a@b.test\nBcc: c@d.test' }, ['sender_malformed']],
  ['a malformed reply address', { replyTo: 'x@' }, ['sender_shared_domain', 'sender_malformed']],
  ['no address', { companyComplete: false }, ['sender_shared_domain', 'company_incomplete']],
  ['not live', { live: false }, ['sender_shared_domain', 'not_live']],
])('%s', (_name, facts, expected) => {
  expect(checkSender({ ...GOOD, ...facts }).map(({ rule }) => rule)).toEqual(expected);
});

test('names the address that mail is sent from', () => {
  expect(checkSender(GOOD)[0]?.message).toContain('hello@mail.waypost.test');
  expect(checkSender({ ...GOOD, fromEmail: undefined })[0]?.message).toContain('no-reply@mail.waypost.test');
});
