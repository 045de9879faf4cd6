import { AddressSet } from './address-set.js';

test('each address is new once, however many there are', () => {
  const set = new AddressSet();
  const addresses = Array.from({ length: 5_000 }, (_, n) => `person-${n}@example.com`);
  expect(addresses.every((address) => set.add(address))).toBe(true);
  expect(addresses.some((address) => set.add(address))).toBe(false);
  expect(set.add('one-more@example.com')).toBe(true);
});
