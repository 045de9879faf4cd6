import { DomainError } from '../../../kernel/domain-error.js';
import { readBatchedEvent, readEvent } from './read-event.js';

const NOW = new Date('2026-03-02T09:00:00.000Z');
const event = { external_id: 'u1', event_name: 'signed_up' };

function refusal(input: unknown): DomainError {
  try {
    readEvent(input, NOW);
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
  throw new Error('The input was accepted.');
}

describe('readEvent', () => {
  test('reads the least there is', () => {
    expect(readEvent(event, NOW)).toEqual({
      externalId: 'u1',
      eventName: 'signed_up',
      attributes: '{}',
      contact: null,
      idempotencyKey: null,
      occurredAt: NOW,
    });
  });

  test('reads everything, under each of its names', () => {
    for (const name of ['contact', 'contact_override', 'contact_overrides']) {
      const input = {
        user_id: 'u1',
        event_name: 'signed_up',
        attributes: { plan: 'pro', nested: { a: [1] } },
        [name]: { email: 'ada@example.com' },
        idempotency_key: 'k',
        occurred_at: '2026-03-01T10:00:00+02:00',
      };
      expect(readEvent(input, NOW)).toEqual({
        externalId: 'u1',
        eventName: 'signed_up',
        attributes: '{"plan":"pro","nested":{"a":[1]}}',
        contact: '{"email":"ada@example.com"}',
        idempotencyKey: 'k',
        occurredAt: new Date('2026-03-01T08:00:00.000Z'),
      });
    }
  });

  test.each<[object, string]>([
    [[], 'validation_error'],
    [{}, 'validation_error'],
    [{ external_id: 'u1' }, 'validation_error'],
    [{ event_name: 'x' }, 'validation_error'],
    [{ ...event, event_name: 'SignedUp' }, 'invalid_event_name'],
    [{ ...event, event_name: '' }, 'invalid_event_name'],
    [{ ...event, event_name: 'x'.repeat(256) }, 'invalid_event_name'],
    [{ ...event, event_name: 7 }, 'invalid_field'],
    [{ ...event, attributes: [] }, 'invalid_field'],
    [{ ...event, attributes: null }, 'invalid_field'],
    [{ ...event, attributes: { a: { b: { c: { d: { e: {} } } } } } }, 'invalid_field'],
    [
      { ...event, attributes: Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`a${i}`, i])) },
      'invalid_field',
    ],
    [{ ...event, attributes: { a: 'x'.repeat(65_536) } }, 'invalid_field'],
    [{ ...event, attributes: { a: 'é'.repeat(32_768) } }, 'invalid_field'],
    [
      { ...event, attributes: { a: 'x'.repeat(40_000) }, contact: { properties: { b: 'x'.repeat(40_000) } } },
      'invalid_field',
    ],
    [{ ...event, attributes: { a: [1, Number.POSITIVE_INFINITY] } }, 'invalid_field'],
    [{ ...event, attributes: { a: '\0' } }, 'invalid_field'],
    [{ ...event, attributes: { '\udfff': 1 } }, 'invalid_field'],
    [{ ...event, contact: 'x' }, 'invalid_field'],
    [{ ...event, contact: { email: 'x' } }, 'invalid_email'],
    [{ ...event, contact: { nickname: 'x' } }, 'invalid_field'],
    [{ ...event, idempotency_key: '' }, 'invalid_field'],
    [{ ...event, idempotency_key: 'x'.repeat(256) }, 'invalid_field'],
    [{ ...event, occurred_at: 'yesterday' }, 'invalid_field'],
    [{ ...event, occurred_at: '2026-02-30T25:00:00Z' }, 'invalid_field'],
    [{ ...event, occurred_at: '2026-02-30T00:00:00Z' }, 'invalid_field'],
    [{ ...event, occurred_at: '2026-03-01' }, 'invalid_field'],
    [{ ...event, occurred_at: '2026-03-01T09:00:00' }, 'invalid_field'],
    [{ ...event, occurred_at: '0000-06-01T09:00:00Z' }, 'invalid_field'],
    [{ ...event, occurred_at: '0001-01-01T00:00:00+01:00' }, 'invalid_field'],
    [{ ...event, occurred_at: 20_260_301 }, 'invalid_field'],
    [{ ...event, idempotency_key: '😀'.repeat(256) }, 'invalid_field'],
    [{ ...event, external_id: 'erased-0193e5c0-0000-7000-8000-000000000001' }, 'invalid_field'],
    [{ ...event, occurred_at: '2026-03-02T09:05:01Z' }, 'invalid_field'],
    [{ ...event, colour: 'red' }, 'invalid_field'],
  ])('%j is %s', (input, code) => {
    expect(refusal(input).code).toBe(code);
  });

  test.each<[object, string, string[]]>([
    [
      {
        event_name: 'SignedUp',
        attributes: [],
        contact: { email: 'x', locale: 7 },
        idempotency_key: '',
        occurred_at: 1,
      },
      'validation_error',
      [
        'external_id',
        'event_name',
        'attributes',
        'contact.email',
        'contact.locale',
        'idempotency_key',
        'occurred_at',
      ],
    ],
    [{}, 'validation_error', ['external_id', 'event_name']],
    [
      { ...event, event_name: 'SignedUp', contact: { email: 'x' } },
      'invalid_event_name',
      ['event_name', 'contact.email'],
    ],
    [
      { ...event, contact: { email: 'x' }, idempotency_key: 1 },
      'invalid_email',
      ['contact.email', 'idempotency_key'],
    ],
    [{ colour: 'red', size: 1, event_name: 'x' }, 'invalid_field', ['colour', 'size', 'external_id']],
    [
      { ...event, attributes: { a: 'x'.repeat(65_536) }, occurred_at: 'x' },
      'invalid_field',
      ['attributes', 'occurred_at'],
    ],
    [{ ...event, event_name: 'SignedUp' }, 'invalid_event_name', ['event_name']],
  ])('%j: all that is wrong is told under the code of the first', (input, code, fields) => {
    const error = refusal(input);
    expect([error.code, error.fields.errors?.map(({ field }) => field)]).toEqual([code, fields]);
    for (const field of fields) expect(error.detail).toContain(field);
  });

  test('no more than a hundred errors are told', () => {
    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`x${i}`, 1]));
    expect(refusal(many).fields.errors).toHaveLength(100);
  });

  test('an escaped backslash before u0000 is text like any other', () => {
    expect(readEvent({ ...event, attributes: { a: '\\u0000' } }, NOW).attributes).toBe('{"a":"\\\\u0000"}');
  });

  test('an event may have happened up to five minutes from now', () => {
    expect(readEvent({ ...event, occurred_at: '2026-03-02T09:05:00Z' }, NOW).occurredAt.getTime()).toBe(
      NOW.getTime() + 300_000,
    );
  });

  test('an empty contact says nothing', () => {
    expect(readEvent({ ...event, contact: {} }, NOW).contact).toBeNull();
  });

  test('lengths are those of characters', () => {
    const key = '😀'.repeat(255);
    expect(readEvent({ ...event, idempotency_key: key }, NOW).idempotencyKey).toBe(key);
  });
});

describe('readBatchedEvent', () => {
  test('reads as readEvent does', () => {
    expect(readBatchedEvent(event, NOW)).toEqual(readEvent(event, NOW));
  });

  test.each([
    '{"external_id":"u1","event_name":"x","attributes":{"__proto__":1}}',
    '{"external_id":"u1","event_name":"x","__proto__":{}}',
    '{"external_id":"u1","event_name":"x","attributes":{"constructor":{"prototype":1}}}',
    `{"external_id":"u1","event_name":"x","attributes":${'{"a":'.repeat(70)}1${'}'.repeat(70)}}`,
  ])('refuses %s', (text) => {
    expect(() => readBatchedEvent(JSON.parse(text), NOW)).toThrow(
      expect.objectContaining({ code: 'validation_error' }),
    );
  });
});
