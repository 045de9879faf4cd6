import { resolveFrom } from './sender-address.js';

const VERIFIED: Readonly<Record<string, { returnPath: string | null }>> = {
  'own.test': { returnPath: 'bounces.own.test' },
  'bare.test': { returnPath: null },
  'xn--bcher-kva.test': { returnPath: null },
};

const from = (sender: object, environment: 'live' | 'test' = 'live') =>
  resolveFrom(sender, 'Fallback', environment, { shared: 'mail.test', own: (domain) => VERIFIED[domain] });

describe('resolveFrom', () => {
  test.each([
    [{ fromEmail: 'Hello@acme.test', fromName: 'Acme' }, 'Hello@mail.test', 'Acme', null],
    [{ fromEmail: 'hello@mail.test' }, 'hello@mail.test', 'Fallback', null],
    [
      { fromEmail: ' hello@acme.test ', replyTo: ' Help@ACME.test ' },
      'hello@mail.test',
      'Fallback',
      'Help@acme.test',
    ],
    [{ fromEmail: 'hello@acme.test', fromName: '  ' }, 'hello@mail.test', 'Fallback', null],
    [{}, 'no-reply@mail.test', 'Fallback', null],
  ])('of no verified domain: %j', (sender, address, name, replyTo) => {
    expect(from(sender)).toEqual({ kind: 'from', from: { address, name }, replyTo, returnPath: address });
  });

  test.each([
    ['Hello@OWN.test', 'Hello@own.test', 'Hello@bounces.own.test'],
    ['hello@bare.test', 'hello@bare.test', 'hello@mail.test'],
    ['hello@bücher.test', 'hello@xn--bcher-kva.test', 'hello@mail.test'],
    // A subdomain of a verified domain is a different domain.
    ['hello@news.own.test', 'hello@mail.test', 'hello@mail.test'],
    ['hello@notown.test', 'hello@mail.test', 'hello@mail.test'],
  ])('%s goes from %s, with bounces to %s', (fromEmail, address, returnPath) => {
    expect(from({ fromEmail, replyTo: 'help@own.test' })).toEqual({
      kind: 'from',
      from: { address, name: 'Fallback' },
      replyTo: 'help@own.test',
      returnPath,
    });
  });

  test.each(['a@acme.test', 'a@own.test'])(
    'mail of the test environment goes from a domain apart: %s',
    (fromEmail) => {
      expect(from({ fromEmail }, 'test')).toMatchObject({
        from: { address: 'a@sandbox.mail.test' },
        returnPath: 'a@sandbox.mail.test',
      });
    },
  );

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
