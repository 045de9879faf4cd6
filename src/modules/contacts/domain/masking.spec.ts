import fc from 'fast-check';
import { ExactNumber } from '../../../kernel/exact-number.js';
import { maskEmails, maskerFor, maskPhone } from './masking.js';

describe('maskEmails', () => {
  it.each([
    ['ada@example.com', 'a***@e***.com'],
    ['Write to ada@example.com.', 'Write to a***@e***.com.'],
    ['<ada.b+c@mail.example.co.uk>, bob@x.org', '<a***@m***.uk>, b***@x***.org'],
    ['mailto:ada@example.com?subject=x', 'mailto:a***@e***.com?subject=x'],
    ['"a b"@example.com', '"***@e***.com'],
    ['to "john.doe"@example.com', 'to "***@e***.com'],
    ['"@example.com', '"***@e***.com'],
    ['ada&#0000000000064;example.com', 'a***&#0000000000064;e***.com'],
    ['ada%25252525252525252540example.com', 'a***%25252525252525252540e***.com'],
    ['root@localhost', 'r***@l***'],
    ['jürgen@müller.de', 'j***@m***.de'],
    ['a@b@c.org', 'a***@b******@c***.org'],
    ['https://x.org/?to=ada%40example.com&n=1', 'https:/***%40e***.com&n=1'],
    ['ada%2540example.com', 'a***%2540e***.com'],
    ['ada&#64;example.com', 'a***&#64;e***.com'],
    ['ada&#x40;example.com, bob&#064;x.org', 'a***&#x40;e***.com, b***&#064;x***.org'],
    ['ada&commat;example.com', 'a***&commat;e***.com'],
    ['ada\uff20example.com', 'a***\uff20e***.com'],
    ['{"to":"ada\\u0040example.com"}', '{"to":"a***\\u0040e***.com"}'],
    ['&#97;&#100;&#97;&#64;&#101;&#46;&#99;&#111;', '***&#64;***'],
    ['%61%64%61%40%65%78%2E%63%6F%6D', '***%40***'],
    ['a%40b%40c.org', 'a***%40b******%40c***.org'],
    ['a%2540b%2540c.org', 'a***%2540b***.org'],
    ['Sl&#x40f;vo.com &#640;x.org', 'Sl&#x40f;vo.com &#640;x.org'],
    ['100%40 off, 40% and %400', '100%40 off, 40% and %400'],
    ['no address', 'no address'],
    ['@handle and 5 @ 3', '@handle and 5 @ 3'],
    ['', ''],
  ])('%j becomes %j', (text, masked) => {
    expect(maskEmails(text)).toBe(masked);
  });

  it('leaves no address in whatever stands around it', () => {
    const around = fc.constantFrom(' ', '<', '>', '"', ',', ';', '\n', '(', ')', ':');
    fc.assert(
      fc.property(fc.emailAddress(), around, around, (address, before, behind) => {
        expect(maskEmails(`${before}${address}${behind}`)).not.toContain(address);
      }),
    );
  });

  it('leaves no address however its signs are written', () => {
    const spelt = fc.tuple(fc.emailAddress(), fc.infiniteStream(fc.nat(2))).map(([address, ways]) =>
      [...address]
        .map((sign) => {
          const code = sign.charCodeAt(0);
          const way = ways.next().value as number;
          if (sign !== '@' || way === 0) return way === 1 ? `&#${code};` : sign;
          return way === 1 ? '&#64;' : '%40';
        })
        .join(''),
    );
    const decoded = (text: string): string =>
      text
        .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
        .replaceAll('%40', '@');
    fc.assert(
      fc.property(spelt, (text) => {
        const local = decoded(text).split('@')[0] ?? '';
        fc.pre(local.length > 2);
        expect(decoded(maskEmails(` ${text} `))).not.toContain(decoded(text));
      }),
    );
  });

  it('is done with long texts made of nothing but signs', () => {
    for (const piece of ['@', 'a@', 'a', 'a.', '%40', 'a%40', '&#64;', '%25', '&#0', '%', '%61'])
      expect(maskEmails(piece.repeat(200_000)).length).toBeGreaterThan(0);
  });
});

it('maskPhone leaves the last two digits', () => {
  expect(maskPhone('+44 20 7946 0958')).toBe('***58');
  expect(maskPhone('x')).toBe('***');
});

describe('maskerFor', () => {
  const mask = maskerFor('+44 20 7946 0958');

  it('masks the number as the contact has it, and as others write it', () => {
    expect(mask(['+44 20 7946 0958', '442079460958', '(44) 20-7946-0958', 442079460958])).toEqual(
      Array(4).fill('***58'),
    );
  });

  it('takes no long number apart, and masks one that is the phone number', () => {
    const order = {
      order_id: ExactNumber.from('12345678901234567890'),
      list: [ExactNumber.from('0.10000000000000000000001')],
    };
    expect(mask(order)).toStrictEqual(order);
    const long = maskerFor('12345678901234567890');
    expect(
      long([ExactNumber.from('12345678901234567890'), ExactNumber.from('12345678901234567891')]),
    ).toEqual(['***90', ExactNumber.from('12345678901234567891')]);
  });

  it('leaves other numbers and what is no text', () => {
    const value = { a: 12, b: null, c: true, d: '2026-01-02', e: 442079460959, f: new Date(0) };
    expect(mask(value)).toEqual(value);
  });

  it('goes into lists, objects and their keys', () => {
    expect(mask({ a: [{ 'ada@example.com': 'bob@example.com' }] })).toEqual({
      a: [{ 'a***@e***.com': 'b***@e***.com' }],
    });
  });

  it('takes no short number of a contact for a phone number', () => {
    expect(maskerFor('12')(12)).toBe(12);
    expect(maskerFor(null)('')).toBe('');
  });
});
