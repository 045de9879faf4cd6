import fc from 'fast-check';
import { AudienceCounter, MAX_SAMPLE_CONTACTS, PREVIEWED_REASONS, AddressSet } from './audience-preview.js';
import { addressKey } from '../../suppressions/domain/suppression.js';
import { skippedReason } from './audience-group.js';

const contact = fc.record({
  id: fc.uuid(),
  email: fc.constantFrom(
    null,
    ' ',
    'ada@example.com',
    ' Ada@EXAMPLE.com',
    'bob@bücher.example',
    'bob@xn--bcher-kva.example',
  ),
  subscriptionStatus: fc.constantFrom('subscribed' as const, 'unsubscribed' as const, 'deleted' as const),
  hasRefused: fc.boolean(),
  isListed: fc.boolean(),
});

test('however an audience is cut into parts, everybody is counted once, and the newest who would get it are shown', () => {
  fc.assert(
    fc.property(
      fc.array(fc.uniqueArray(contact, { selector: ({ id }) => id, maxLength: 30 }), { maxLength: 4 }),
      (parts) => {
        const count = new AudienceCounter();
        for (const part of parts) {
          const ids = (which: 'hasRefused' | 'isListed'): Set<string> =>
            new Set(part.filter((one) => one[which]).map(({ id }) => id));
          count.add(part, ids('hasRefused'), ids('isListed'));
        }
        const all = parts.flat();
        const { total, sendable, skipped } = count.counts;
        expect(total).toBe(all.length);
        expect(Object.keys(skipped).sort()).toEqual([...PREVIEWED_REASONS].sort());
        const seen = new Set<string | undefined>();
        const reasons = all.map((one) => {
          const reason = skippedReason(one, one);
          const address = addressKey(one.email ?? '');
          if (reason !== null || !seen.has(address)) return (reason ?? seen.add(address)) && reason;
          return 'duplicate_address';
        });
        for (const reason of PREVIEWED_REASONS)
          expect(skipped[reason]).toBe(reasons.filter((one) => one === reason).length);
        const reached = all.filter((_, n) => reasons[n] === null).map(({ id }) => id);
        expect(sendable).toBe(reached.length);
        expect(count.sample).toEqual(reached.sort().reverse().slice(0, MAX_SAMPLE_CONTACTS));
      },
    ),
  );
});

test('each address is new once, however many there are', () => {
  const set = new AddressSet();
  const addresses = Array.from({ length: 5_000 }, (_, n) => `person-${n}@example.com`);
  expect(addresses.every((address) => set.add(address))).toBe(true);
  expect(addresses.some((address) => set.add(address))).toBe(false);
  expect(set.add('one-more@example.com')).toBe(true);
});
