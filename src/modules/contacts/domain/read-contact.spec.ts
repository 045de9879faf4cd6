import fc from 'fast-check';
import { DomainError } from '../../../kernel/domain-error.js';
import { readContact, readContactPatch } from './read-contact.js';

const UUID = '0193e5c0-0000-7000-8000-000000000001';

function refusal(input: unknown): DomainError {
  try {
    readContact(input);
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
  throw new Error('The input was accepted.');
}

describe('readContact', () => {
  test('reads every field', () => {
    const fields = {
      email: 'ada@example.com',
      phone: '+1',
      first_name: 'Ada',
      last_name: null,
      product_type: 'x',
      timezone: 'Europe/London',
      locale: 'en-GB',
      properties: { a: 1, b: null },
      tags: ['x', 'x', 'y'],
    };
    expect(readContact({ external_id: 'u1', ...fields })).toEqual({
      externalId: 'u1',
      changes: {
        email: 'ada@example.com',
        phone: '+1',
        firstName: 'Ada',
        lastName: null,
        productType: 'x',
        timezone: 'Europe/London',
        locale: 'en-GB',
        properties: { a: 1, b: null },
        tags: ['x', 'y'],
      },
    });
  });

  test.each(['subscribed', 'unsubscribed'])('takes the status %s beside the changes', (status) => {
    expect(readContact({ external_id: 'u1', subscription_status: status })).toEqual({
      externalId: 'u1',
      changes: {},
      status,
    });
    expect(readContactPatch('u1', { subscription_status: status }).status).toBe(status);
  });

  test.each(['deleted', 'Subscribed', 'opted_out', '', null, true, 1, {}, ['subscribed']])(
    'refuses the status %j',
    (status) => {
      const { code, fields } = refusal({ external_id: 'u1', subscription_status: status });
      expect(code).toBe('invalid_field');
      expect(fields.errors?.map(({ field }) => field)).toEqual(['subscription_status']);
    },
  );

  test('user_id is an alias of external_id, which goes first', () => {
    expect(readContact({ user_id: 'u1' }).externalId).toBe('u1');
    expect(readContact({ external_id: 'u2', user_id: 'u1' }).externalId).toBe('u2');
  });

  test('lengths are those of characters', () => {
    const long = '😀'.repeat(255);
    const fields = { first_name: long, tags: [long] };
    expect(readContact({ external_id: long, ...fields })).toEqual({
      externalId: long,
      changes: { firstName: long, tags: [long] },
    });
  });

  test('only what looks like the name of an erased contact is reserved', () => {
    for (const id of ['erased', 'erased-1', UUID, `not-erased-${UUID}`])
      expect(readContact({ external_id: id }).externalId).toBe(id);
  });

  test.each<[unknown, string, string]>([
    [null, 'validation_error', ''],
    [[], 'validation_error', ''],
    [{}, 'validation_error', 'external_id'],
    [{ external_id: '' }, 'invalid_field', 'external_id'],
    [{ external_id: 7 }, 'invalid_field', 'external_id'],
    [{ external_id: 'x'.repeat(256) }, 'invalid_field', 'external_id'],
    [{ external_id: '😀'.repeat(256) }, 'invalid_field', 'external_id'],
    [{ external_id: `erased-${UUID}` }, 'invalid_field', 'external_id'],
    [{ user_id: `erased-${UUID}` }, 'invalid_field', 'user_id'],
    [{ external_id: 'u1', tags: ['😀'.repeat(256)] }, 'invalid_field', 'tags'],
    [{ external_id: 'a\0b' }, 'invalid_field', 'external_id'],
    [{ external_id: '\ud800' }, 'invalid_field', 'external_id'],
    [{ user_id: 1 }, 'invalid_field', 'user_id'],
    [{ external_id: 'u1', email: 'nobody' }, 'invalid_email', 'email'],
    [{ external_id: 'u1', email: 5 }, 'invalid_field', 'email'],
    [{ external_id: 'u1', timezone: 'Mars/Olympus' }, 'invalid_field', 'timezone'],
    [{ external_id: 'u1', locale: 'not a locale' }, 'invalid_field', 'locale'],
    [{ external_id: 'u1', properties: [] }, 'invalid_field', 'properties'],
    [{ external_id: 'u1', properties: { a: 'x\0' } }, 'invalid_field', 'properties'],
    [{ external_id: 'u1', properties: { a: 'x'.repeat(70_000) } }, 'invalid_field', 'properties'],
    [{ external_id: 'u1', tags: 'x' }, 'invalid_field', 'tags'],
    [{ external_id: 'u1', tags: [1] }, 'invalid_field', 'tags'],
    [{ external_id: 'u1', id: 'x' }, 'invalid_field', 'id'],
    [{ external_id: 'u1', subscription_status: 'deleted' }, 'invalid_field', 'subscription_status'],
    [{ external_id: 'u1', __proto__x: 1 }, 'invalid_field', '__proto__x'],
  ])('%j is %s of %s', (input, code, field) => {
    const error = refusal(input);
    expect(error.code).toBe(code);
    if (field) expect(error.fields.errors?.map((one) => one.field)).toEqual([field]);
  });

  test('names every field that is wrong', () => {
    expect(
      refusal({ external_id: 'u1', tags: 1, phone: 2, x: 3 }).fields.errors?.map(({ field }) => field),
    ).toEqual(['tags', 'phone', 'x']);
  });

  test('answers any JSON with a contact or a refusal', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (whole, value) => {
        for (const input of [
          whole,
          { external_id: 'u1', properties: value },
          { external_id: value, tags: value },
        ]) {
          try {
            readContact(input);
          } catch (error) {
            expect(error).toBeInstanceOf(DomainError);
          }
        }
      }),
    );
  });
});
