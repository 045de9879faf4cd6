import fc from 'fast-check';
import { clientNetwork, isWithin, type Network, networkFrom } from './networks.js';

const networks = (...texts: string[]): Network[] =>
  texts.map((text) => {
    const network = networkFrom(text);
    if (!network) throw new Error(`${text} is no network.`);
    return network;
  });

test.each(['10.0.0.1', '10.0.0.0/8', '0.0.0.0/0', '2001:db8::/32', '::1', '::ffff:10.0.0.0/104'])(
  '%s is a network',
  (text) => expect(networkFrom(text)).toBeDefined(),
);

test.each([
  '',
  'x',
  'example.com',
  '10.0.0',
  '10.1',
  '0x7f.1',
  '10.0.0.0/33',
  '::/129',
  '10.0.0.0/8/8',
  '10.0.0.0/',
  'fe80::1%a-b',
  'fe80::1%a-b/64',
])('%j is none', (text) => expect(networkFrom(text)).toBeUndefined());

test.each<[string, string, boolean]>([
  ['10.1.2.3', '10.0.0.0/8', true],
  ['11.1.2.3', '10.0.0.0/8', false],
  ['::ffff:10.1.2.3', '10.0.0.0/8', true],
  ['10.1.2.3', '::ffff:10.0.0.0/104', true],
  ['2001:db8::1', '2001:db8::/32', true],
  ['2001:db9::1', '2001:db8::/32', false],
  ['10.1.2.3', '::/0', false],
  ['nonsense', '0.0.0.0/0', false],
])('%s within %s: %s', (address, network, expected) => {
  expect(isWithin(address, networks(network))).toBe(expected);
});

test.each<[string, string, string, string[], string]>([
  ['nobody is trusted', '203.0.113.1', '1.1.1.1', [], '203.0.113.1'],
  ['a stranger who claims to forward', '203.0.113.1', '1.1.1.1', ['10.0.0.0/8'], '203.0.113.1'],
  ['behind one proxy', '10.0.0.1', '1.1.1.1', ['10.0.0.0/8'], '1.1.1.1'],
  ['what the client itself wrote does not count', '10.0.0.1', '6.6.6.6, 1.1.1.1', ['10.0.0.0/8'], '1.1.1.1'],
  ['behind two proxies', '10.0.0.1', '6.6.6.6,1.1.1.1 , 10.0.0.2', ['10.0.0.0/8'], '1.1.1.1'],
  ['all are proxies', '10.0.0.1', '10.0.0.3, 10.0.0.2', ['10.0.0.0/8'], '10.0.0.3'],
  ['a proxy that says nothing', '10.0.0.1', '', ['10.0.0.0/8'], '10.0.0.1'],
  ['nonsense', '10.0.0.1', '1.1.1.1, unknown', ['10.0.0.0/8'], '10.0.0.1'],
  ['a zone that cannot be read', '10.0.0.1', '1.1.1.1, fe80::1%a-b', ['10.0.0.0/8'], '10.0.0.1'],
  ['a zone', '10.0.0.1', 'fe80::1%eth0', ['10.0.0.0/8'], 'fe80:0:0:0::/64'],
  ['an empty hop', '10.0.0.1', '1.1.1.1,', ['10.0.0.0/8'], '10.0.0.1'],
  ['a port', '10.0.0.1', '1.1.1.1:4711', ['10.0.0.0/8'], '1.1.1.1'],
  ['IPv6 with a port', '::1', '[2001:db8::7]:4711', ['::1'], '2001:db8:0:0::/64'],
  ['IPv4 written as IPv6', '::ffff:10.0.0.1', '::ffff:1.1.1.1', ['10.0.0.1'], '1.1.1.1'],
  ['a socket that is gone', '', '1.1.1.1', ['10.0.0.0/8'], 'unknown'],
])('%s', (_name, peer, forwarded, proxies, expected) => {
  expect(clientNetwork(peer, forwarded, networks(...proxies))).toBe(expected);
});

test('an IPv6 client is its /64, however it writes its address', () => {
  const networkOf = (address: string): string => clientNetwork(address, '', []);
  expect(networkOf('1::2:3:4:5:6')).toBe('1:0:0:2::/64');
  expect(networkOf('1:0:0:2:ffff::')).toBe('1:0:0:2::/64');
  expect(networkOf('0001:0000:0000:0002:0:0:0:1')).toBe('1:0:0:2::/64');
  expect(networkOf('1:0:0:3::')).not.toBe('1:0:0:2::/64');
});

test('whatever the header says, the answer is the last who is no trusted proxy, or a proxy behind him', () => {
  const trusted = networks('10.0.0.0/8');
  const proxy = fc.constantFrom('10.9.9.9', '10.8.8.8:80');
  const unknownAddress = fc.constantFrom('192.0.2.1', '198.51.100.2:4711', '[2001:db8::7]:1');
  const nonsense = fc.constantFrom('unknown', '', ' ', '1.2.3', '[', 'fe80::1%a-b', '[fe80::1%.]:1');
  const countedAs: Record<string, string> = {
    '192.0.2.1': '192.0.2.1',
    '198.51.100.2:4711': '198.51.100.2',
    '[2001:db8::7]:1': '2001:db8:0:0::/64',
  };
  fc.assert(
    fc.property(
      fc.array(fc.oneof(proxy, unknownAddress, nonsense), { maxLength: 4 }),
      fc.oneof(unknownAddress, nonsense),
      fc.array(proxy, { maxLength: 3 }),
      (claimed, last, proxies) => {
        const seen = clientNetwork('10.0.0.1', [...claimed, last, ...proxies].join(', '), trusted);
        const behind = proxies[0]?.replace(':80', '') ?? '10.0.0.1';
        expect(seen).toBe(countedAs[last] ?? behind);
      },
    ),
  );
});
