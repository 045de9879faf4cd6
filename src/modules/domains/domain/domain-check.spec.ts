import { DAY, HOUR, MINUTE } from '../../../kernel/duration.js';
import { afterCheck, GRACE_MS, KEY_OVERLAP_MS, usableUntil } from './domain-check.js';
import type { RecordState } from './dns-record.js';
import { findingOf, recordsOfDomain, type DkimKey, type SendingDomain } from './sending-domain.js';

const START = new Date('2026-03-02T09:00:00.000Z');
const after = (milliseconds: number): Date => new Date(START.getTime() + milliseconds);
const SHARED = 'mail.host.test';

const key = (selector: string, role: DkimKey['role'], more: Partial<DkimKey> = {}): DkimKey => ({
  id: selector,
  selector,
  publicKey: 'MIIB',
  role,
  retireAt: null,
  createdAt: START,
  ...more,
});

const NEW: SendingDomain = {
  id: '0190a5d2-7c3e-7b61-9a3e-4f5f0c0fface',
  domain: 'acme.test',
  token: 'token',
  status: 'pending',
  statusSince: START,
  isHeldElsewhere: false,
  verifiedAt: null,
  findings: [],
  checkedAt: null,
  checkAt: START,
  keys: [key('w1', 'signing')],
  createdAt: START,
  updatedAt: START,
};

/** The domain after a check that found its required records in this state, except those of some hosts. */
function look(
  domain: SendingDomain,
  state: RecordState,
  now: Date,
  { others = {}, mayHold = true }: { others?: Record<string, RecordState>; mayHold?: boolean } = {},
): SendingDomain {
  const findings = recordsOfDomain(domain, SHARED).map(({ type, host }) => ({
    type,
    host,
    state: others[host] ?? state,
    found: [],
  }));
  return afterCheck(domain, findings, { sharedDomain: SHARED, mayHold, askedAt: now, jitter: 0.5 }, now);
}
const pause = (domain: SendingDomain, now: Date): number | null =>
  domain.checkAt && Math.round(domain.checkAt.getTime() - now.getTime());

const VERIFIED = look(NEW, 'ok', START);

test('a domain with its records is verified, and looked at every day', () => {
  expect(VERIFIED).toMatchObject({ status: 'verified', verifiedAt: START, checkedAt: START });
  expect(pause(VERIFIED, START)).toBe(DAY);
  expect(look(VERIFIED, 'ok', after(DAY))).toMatchObject({ statusSince: START, verifiedAt: after(DAY) });
});

test('what is merely recommended may be missing', () => {
  const others: Record<string, RecordState> = {};
  for (const { isRequired, host } of recordsOfDomain(NEW, SHARED)) if (!isRequired) others[host] = 'missing';
  expect(look(NEW, 'ok', START, { others }).status).toBe('verified');
});

test.each<RecordState>(['missing', 'wrong', 'unknown'])('a record that is %s leaves it pending', (state) => {
  for (const { host, isRequired } of recordsOfDomain(NEW, SHARED))
    if (isRequired) expect(look(NEW, 'ok', START, { others: { [host]: state } }).status).toBe('pending');
});

test('pauses grow while it is pending, and end after a month', () => {
  const pauses = [0, MINUTE, HOUR, 12 * HOUR, 2 * DAY, 29 * DAY, 30 * DAY].map((since) =>
    pause(look(NEW, 'missing', after(since)), after(since)),
  );
  expect(pauses).toEqual([MINUTE, MINUTE, HOUR / 2, 6 * HOUR, 12 * HOUR, 12 * HOUR, null]);
});

test('a proven domain that another workspace holds stays pending, and says so', () => {
  const refused = look(NEW, 'ok', START, { mayHold: false });
  expect(refused).toMatchObject({ status: 'pending', isHeldElsewhere: true, verifiedAt: null });
  expect(look(refused, 'ok', after(HOUR))).toMatchObject({ status: 'verified', isHeldElsewhere: false });
  expect(look(NEW, 'missing', START, { mayHold: false }).isHeldElsewhere).toBe(false);
});

describe('a verified domain that loses a record', () => {
  const lost = look(VERIFIED, 'missing', after(DAY));

  test('fails, and is sent from for a time', () => {
    expect(lost).toMatchObject({ status: 'failing', statusSince: after(DAY), verifiedAt: START });
    expect(usableUntil(lost)).toEqual(after(DAY + GRACE_MS));
    expect(usableUntil(VERIFIED)).toBeNull();
    expect(pause(lost, after(DAY))).toBe(15 * MINUTE);
  });

  test('is verified again as soon as the record is back', () => {
    const back = look(lost, 'ok', after(DAY + HOUR));
    expect(back).toMatchObject({ status: 'verified', statusSince: after(DAY + HOUR) });
    expect(usableUntil(back)).toBeNull();
  });

  test('keeps the moment at which it began to fail, and pauses grow', () => {
    const later = look(lost, 'wrong', after(DAY + 6 * HOUR));
    expect(later.statusSince).toEqual(lost.statusSince);
    expect(pause(later, after(DAY + 6 * HOUR))).toBe(3 * HOUR);
    const last = look(lost, 'missing', after(DAY + GRACE_MS - HOUR));
    expect([last.status, last.checkAt]).toEqual(['failing', after(DAY + GRACE_MS)]);
  });

  test.each<RecordState>(['missing', 'wrong', 'unknown'])(
    'ends unverified when it is still %s then',
    (state) => {
      const ended = look(lost, state, after(DAY + GRACE_MS));
      expect(ended).toMatchObject({
        status: 'unverified',
        statusSince: after(DAY + GRACE_MS),
        verifiedAt: START,
      });
      expect(look(ended, 'ok', after(DAY + GRACE_MS + HOUR)).status).toBe('verified');
    },
  );
});

test('a DNS that does not tell takes nothing from a verified domain, and is asked again soon', () => {
  const unanswered = look(VERIFIED, 'unknown', after(DAY));
  expect(unanswered).toMatchObject({ status: 'verified', verifiedAt: START });
  expect(pause(unanswered, after(DAY))).toBe(HOUR);
});

describe('the renewal of a key', () => {
  const begun: SendingDomain = {
    ...VERIFIED,
    keys: [key('w1', 'signing'), key('w2', 'next', { createdAt: after(DAY) })],
  };
  const roles = ({ keys }: SendingDomain): unknown[] => keys.map(({ selector, role }) => [selector, role]);

  test('waits for the record of the next one, which keeps nobody from sending', () => {
    const others = { 'w2._domainkey.acme.test': 'missing' as const };
    const waiting = look(begun, 'ok', after(DAY), { others });
    expect([waiting.status, roles(waiting)]).toEqual([
      'verified',
      [
        ['w1', 'signing'],
        ['w2', 'next'],
      ],
    ]);
    expect(pause(waiting, after(DAY))).toBe(MINUTE);
  });

  const renewed = look(begun, 'ok', after(2 * DAY));

  test('has the next one sign, and keeps the former one for a week', () => {
    expect(roles(renewed)).toEqual([
      ['w1', 'retiring'],
      ['w2', 'signing'],
    ]);
    expect(renewed.keys[0]?.retireAt).toEqual(after(2 * DAY + KEY_OVERLAP_MS));
    const before = look(renewed, 'ok', after(2 * DAY + KEY_OVERLAP_MS - HOUR));
    expect([before.keys.length, before.checkAt]).toEqual([2, after(2 * DAY + KEY_OVERLAP_MS)]);
    expect(roles(look(before, 'ok', after(2 * DAY + KEY_OVERLAP_MS)))).toEqual([['w2', 'signing']]);
  });

  test('asks for the record of the key that signs, and no more for that of the former one', () => {
    const without = (host: string): string =>
      look(renewed, 'ok', after(3 * DAY), { others: { [host]: 'missing' } }).status;
    expect(without('w1._domainkey.acme.test')).toBe('verified');
    expect(without('w2._domainkey.acme.test')).toBe('failing');
  });

  test('goes on where both records were exchanged at once', () => {
    const others = { 'w1._domainkey.acme.test': 'missing' as const };
    const exchanged = look(begun, 'ok', after(2 * DAY), { others });
    expect([exchanged.status, roles(exchanged)]).toEqual(['verified', roles(renewed)]);
  });
});

test('what was found of a record that is newer than the look is unknown', () => {
  const [record] = recordsOfDomain(NEW, SHARED);
  expect(record && findingOf(NEW, record)).toMatchObject({ state: 'unknown', found: [] });
});
