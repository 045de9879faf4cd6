import { resolveFrom } from './sender-address.js';

const from = (sender: object, environment: 'live' | 'test' = 'live') =>
  resolveFrom(sender, 'Fallback', environment, 'mail.test');

describe('resolveFrom', () => {
  test.each([
    [{ fromEmail: 'Hello@acme.test', fromName: 'Acme' }, 'Hello@mail.test', 'Acme', null],
    [{ fromEmail: 'hello@mail.test' }, 'hello@mail.test', 'Fallback', null],
    [
      { fromEmail: ' hello@acme.test ', replyTo: 'Help@ACME.test' },
      'hello@mail.test',
      'Fallback',
      'Help@acme.test',
    ],
    [{}, 'no-reply@mail.test', 'Fallback', null],
  ])('%j', (sender, address, name, replyTo) => {
    expect(from(sender)).toEqual({ kind: 'from', from: { address, name }, replyTo });
  });

  test('mail of the test environment goes from a domain apart', () => {
    expect(from({ fromEmail: 'a@acme.test' }, 'test')).toMatchObject({
      from: { address: 'a@sandbox.mail.test' },
    });
  });

  test.each(['', ' ', 'acme', 'a@', '@b', 'a b@c.d', 'a@b@c', 'a@b.c,d@e.f', 'a@b.c\nBcc: x@y.z', '<a@b.c>'])(
    'refuses %j',
    (address) => {
      expect(from({ fromEmail: address })).toEqual({ kind: 'refused', field: 'from_email' });
      expect(from({ fromEmail: 'a@b.c', replyTo: address })).toEqual({
        kind: 'refused',
        field: 'reply_to',
      });
    },
  );
});
