/**
 * Generators for the cases of the lawful sending test: all inputs of a decision, and what happens to a message
 * afterwards.
 */
import fc from 'fast-check';
import { EMAIL_ORIGINS } from '../../src/modules/delivery/domain/email-origin.js';
import { CONTACT_TIME_ZONE } from '../../src/modules/workspaces/domain/workspace.js';

export const COMPANY = {
  name: 'Acme',
  address_line1: '1 Main St',
  city: 'X',
  postal_code: '1',
  country: 'US',
};

/** The contact's initial address, and an invalid one that may replace it. */
export const ADDRESS = 'ada@example.com';
export const NO_ADDRESS = 'ada@';

export const BODIES = {
  whole: '<html><body><p>Hello</p></body></html>',
  part: '<p>Hello</p>',
  required: '<p>{the Order from the trigger event, required}</p>',
  placeholder: '<p>«name»</p>',
};

/** Offsets from UTC in minutes, of zones without daylight saving time. */
export const ZONES = { UTC: 0, 'Asia/Kathmandu': 345, 'Pacific/Honolulu': -600 };
export type Zone = keyof typeof ZONES;
const someZone = fc.constantFrom<(Zone | undefined)[]>(
  undefined,
  'UTC',
  'Asia/Kathmandu',
  'Pacific/Honolulu',
);

/** Start and end in local time. */
export type WallHours = readonly [start: string, end: string];

/**
 * How the person opted out under another record: another contact with the same address, a contact whose mail went
 * to this address, or the same identifier.
 */
export type OtherName = 'same address' | 'mail of another' | 'same identifier';

/** Yields the first value in most cases, so that messages do arrive. */
function mostly<Value>(usual: Value, ...others: readonly Value[]): fc.Arbitrary<Value> {
  return among(30, usual, others);
}

/** Yields the first value in two of three cases, so that interesting values also meet each other. */
function often<Value>(usual: Value, ...others: readonly Value[]): fc.Arbitrary<Value> {
  return among(2 * others.length, usual, others);
}

function among<Value>(weight: number, usual: Value, others: readonly Value[]): fc.Arbitrary<Value> {
  return fc.oneof(
    { weight, arbitrary: fc.constant(usual) },
    ...others.map((other) => ({ weight: 1, arbitrary: fc.constant(other) })),
  );
}

/** What happens between two attempts of the sender to send a message. */
const LATER = fc.record({
  change: fc.constantFrom(
    ...(['none', 'none', 'none', 'unsubscribed', 'deleted', 'listed', 'refused', 'topic refused'] as const),
    ...(['rest', 'moved', 'sending stops', 'sending goes on', 'sending goes on'] as const),
  ),
  /** Whether the change happens only after the message was requested again. */
  isAfterAsking: fc.boolean(),
  /** Minutes to wait, or `opening`: until the gate that holds the message opens. */
  wait: fc.constantFrom<('opening' | number)[]>('opening', 'opening', 0, 61, 25 * 60),
  /** Whether the outcome of a sent message is lost. */
  isFateLost: often(false, true),
});
export type Later = typeof LATER extends fc.Arbitrary<infer Made> ? Made : never;

export const CASES = fc.record({
  environment: mostly<'live' | 'test'>('live', 'test', 'test'),
  contentType: fc.constantFrom('promotional' as const, 'promotional' as const, 'transactional' as const),
  origin: fc.constantFrom('trip' as const, ...EMAIL_ORIGINS.filter((origin) => origin !== 'resend')),
  isLive: mostly(true, false),
  isSuspended: mostly(false, true),
  isBeyondCap: mostly(false, true),
  company: mostly<object>(COMPANY, { ...COMPANY, city: ' ' }),
  fromEmail: mostly('hello@acme.test', 'nobody'),
  status: mostly<'subscribed' | 'unsubscribed' | 'deleted'>('subscribed', 'unsubscribed', 'deleted'),
  email: mostly<'good' | 'bad' | 'none'>('good', 'bad', 'none'),
  isListed: mostly(false, true),
  sendToUnsubscribed: mostly(false, true, true),
  body: mostly<keyof typeof BODIES>('whole', 'part', 'part', 'required', 'placeholder'),
  text: fc.constantFrom('Hello', ''),
  isActive: mostly(true, false),
  /** Whether the topic that the template names is on by default; undefined when the template names none. */
  topic: often<'on' | 'off' | undefined>(undefined, 'on', 'on', 'off'),
  choice: often<boolean | undefined>(undefined, true, false, false),
  isResting: mostly(false, true, true),
  refusedAs: mostly<OtherName | undefined>(undefined, 'same address', 'mail of another', 'same identifier'),
  /** Hours since promotional mail was stopped. */
  stoppedFor: mostly<number | undefined>(undefined, 1, 1, 8 * 24, 8 * 24, 8 * 24, 8 * 24),
  /** The minute of the day at which the case begins. */
  begin: fc.nat(1439),
  window: often<WallHours | undefined>(undefined, ['09:00', '17:00'], ['22:00', '06:00'], ['00:30', '02:15']),
  windowZone: fc.constantFrom<(Zone | typeof CONTACT_TIME_ZONE)[]>(
    CONTACT_TIME_ZONE,
    'UTC',
    'Asia/Kathmandu',
  ),
  rest: often<WallHours | undefined>(undefined, ['22:00', '07:00'], ['08:00', '18:00'], ['00:01', '00:00']),
  restZone: someZone,
  ignoresRest: often(false, true),
  contactZone: someZone,
  workspaceZone: someZone,
  /** Maximum messages to a contact in 24 hours. */
  cap: often<number | undefined>(undefined, 1, 1, 2),
  ignoresCap: often(false, true),
  countsForCap: fc.boolean(),
  /** Maximum messages of a source per hour. */
  throttle: often<number | undefined>(undefined, 1, 1, 2),
  /** Minutes since another counted message of the same source was sent to the contact. */
  earlier: among<number | undefined>(4, undefined, [10, 10, 10, 90, 1500]),
  later: fc.array(LATER, { minLength: 1, maxLength: 3 }),
});
export type Case = typeof CASES extends fc.Arbitrary<infer Made> ? Made : never;
