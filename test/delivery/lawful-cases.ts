/** What cases of sending are made of: everything that a decision looks at, and what happens to a message afterwards. */
import fc from 'fast-check';
import { EMAIL_ORIGINS } from '../../src/modules/delivery/domain/email-origin.js';
import { ZONE_OF_CONTACT } from '../../src/modules/workspaces/domain/workspace.js';

export const COMPANY = {
  name: 'Acme',
  address_line1: '1 Main St',
  city: 'X',
  postal_code: '1',
  country: 'US',
};

/** Where the contact is at first, and what it may have in its place that is no address. */
export const ADDRESS = 'ada@example.com';
export const NO_ADDRESS = 'ada@';

export const BODIES = {
  whole: '<html><body><p>Hello</p></body></html>',
  part: '<p>Hello</p>',
  required: '<p>{the Order from the trigger event, required}</p>',
  placeholder: '<p>«name»</p>',
};

/** Minutes by which zones are ahead of UTC whose clocks never change. */
export const ZONES = { UTC: 0, 'Asia/Kathmandu': 345, 'Pacific/Honolulu': -600 };
export type Zone = keyof typeof ZONES;
const someZone = fc.constantFrom<(Zone | undefined)[]>(
  undefined,
  'UTC',
  'Asia/Kathmandu',
  'Pacific/Honolulu',
);

/** From and until when, as clocks on the wall show it. */
export type WallHours = readonly [start: string, end: string];

/** Under which other name the person has refused: at the address, as another contact; where mail of another went; itself. */
export type OtherName = 'same address' | 'mail of another' | 'same identifier';

/** Mostly the first, so that messages do arrive. */
function mostly<Value>(usual: Value, ...others: readonly Value[]): fc.Arbitrary<Value> {
  return among(30, usual, others);
}

/** The first in more than every other case: what is interesting beside others of its kind. */
function often<Value>(usual: Value, ...others: readonly Value[]): fc.Arbitrary<Value> {
  return among(2 * others.length, usual, others);
}

function among<Value>(weight: number, usual: Value, others: readonly Value[]): fc.Arbitrary<Value> {
  return fc.oneof(
    { weight, arbitrary: fc.constant(usual) },
    ...others.map((other) => ({ weight: 1, arbitrary: fc.constant(other) })),
  );
}

/** What happens between one look of the sender at a message and the next. */
const LATER = fc.record({
  change: fc.constantFrom(
    ...(['none', 'none', 'none', 'unsubscribed', 'deleted', 'listed', 'refused', 'topic refused'] as const),
    ...(['rest', 'moved', 'sending stops', 'sending goes on', 'sending goes on'] as const),
  ),
  /** Whether that comes to pass only when somebody has asked for the message once more. */
  isAfterAsking: fc.boolean(),
  /** Minutes; or until what holds the message lets go of it. */
  wait: fc.constantFrom<('opening' | number)[]>('opening', 'opening', 0, 61, 25 * 60),
  /** Whether nobody knows any more what has become of a message that was sent. */
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
  /** What of a topic the contact has whose template names it: undefined where the template names none. */
  topic: often<'on' | 'off' | undefined>(undefined, 'on', 'on', 'off'),
  choice: often<boolean | undefined>(undefined, true, false, false),
  isResting: mostly(false, true, true),
  refusedAs: mostly<OtherName | undefined>(undefined, 'same address', 'mail of another', 'same identifier'),
  /** Hours since promotional mail was stopped. */
  stoppedFor: mostly<number | undefined>(undefined, 1, 1, 8 * 24, 8 * 24, 8 * 24, 8 * 24),
  /** The minute of the day at which it all begins. */
  begin: fc.nat(1439),
  window: often<WallHours | undefined>(undefined, ['09:00', '17:00'], ['22:00', '06:00'], ['00:30', '02:15']),
  windowZone: fc.constantFrom<(Zone | typeof ZONE_OF_CONTACT)[]>(ZONE_OF_CONTACT, 'UTC', 'Asia/Kathmandu'),
  rest: often<WallHours | undefined>(undefined, ['22:00', '07:00'], ['08:00', '18:00'], ['00:01', '00:00']),
  restZone: someZone,
  ignoresRest: often(false, true),
  contactZone: someZone,
  workspaceZone: someZone,
  /** Messages to a contact in 24 hours. */
  cap: often<number | undefined>(undefined, 1, 1, 2),
  ignoresCap: often(false, true),
  countsForCap: fc.boolean(),
  /** Messages of a source in an hour. */
  throttle: often<number | undefined>(undefined, 1, 1, 2),
  /** Minutes since the contact was sent another counted message of the same source. */
  earlier: among<number | undefined>(4, undefined, [10, 10, 10, 90, 1500]),
  later: fc.array(LATER, { minLength: 1, maxLength: 3 }),
});
export type Case = typeof CASES extends fc.Arbitrary<infer Made> ? Made : never;
