import { resolveFrom } from './sender-address.js';

const from = (sender: object, environment: 'live' | 'test' = 'live') =>
  resolveFrom(sender, 'Fallback', environment, 'mail.test');

describe('resolveFrom', () => {
  test.each([
    [{ from_email: 'Hello@acme.test', from_name: 'Acme' }, 'Hello@mail.test', 'Acme', null],
    [{ from_email: 'hello@mail.test' }, 'hello@mail.test', 'Fallback', null],
    [
      { from_email: ' hello@acme.test ', reply_to: 'Help@ACME.test' },
      'hello@mail.test',
      'Fallback',
      'Help@acme.test',
    ],
    [{}, 'no-reply@mail.test', 'Fallback', null],
  ])('%j', (sender, address, name, replyTo) => {
    expect(from(sender)).toEqual({ kind: 'from', from: { address, name }, replyTo });
  });

  test('mail of the test environment goes from a domain apart', () => {
    expect(from({ from_email: 'a@acme.test' }, 'test')).toMatchObject({
      from: { address: 'a@sandbox.mail.test' },
    });
  });

  test.each(['', ' ', 'acme', 'a@', '@b', 'a b@c.d', 'a@b@c', 'a@b.c,d@e.f', 'a@b.c\nBcc: x@y.z', '<a@b.c>'])(
    'refuses %j',
    (address) => {
      expect(from({ from_email: address })).toEqual({ kind: 'refused', field: 'from_email' });
      expect(from({ from_email: 'a@b.c', reply_to: address })).toEqual({
        kind: 'refused',
        field: 'reply_to',
      });
    },
  );
});
