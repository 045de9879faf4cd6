import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { maskEmails, maskerFor, maskPhone } from './masking.js';

describe('maskEmails', () => {
  it.each([
    ['ada@example.com', 'a***@e***.com'],
    ['Write to ada@example.com.', 'Write to a***@e***.com.'],
    ['<ada.b+c@mail.example.co.uk>, bob@x.org', '<a***@m***.uk>, b***@x***.org'],
    ['mailto:ada@example.com?subject=x', 'mailto:a***@e***.com?subject=x'],
    ['"a b"@example.com', '"a b"***@e***.com'],
    ['root@localhost', 'r***@l***'],
    ['jürgen@müller.de', 'j***@m***.de'],
    ['a@b@c.org', 'a***@b******@c***.org'],
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

  it('is done with long texts made of nothing but signs', () => {
    for (const piece of ['@', 'a@', 'a', 'a.'])
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
