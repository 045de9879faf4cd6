import { normalAddress } from './email-address.js';

test.each([
  ['Ada@Example.COM', 'Ada@example.com'],
  ['ada@bücher.example', 'ada@xn--bcher-kva.example'],
  ['ada@1and1.example', 'ada@1and1.example'],
  ['ada@localhost', 'ada@localhost'],
  ['ada@10.0.0.1.example', 'ada@10.0.0.1.example'],
])('%s goes to %s', (text, address) => expect(normalAddress(text)).toBe(address));

test.each([
  'ada@',
  'ada',
  'ada@xn--.example',
  'ada@1',
  'ada@2130706433',
  'ada@0x7f.1',
  'ada@127.0.0.1',
  'ada@192.168.100.200',
  'ada@１２７.1',
])('%s goes nowhere', (text) => expect(normalAddress(text)).toBeUndefined());
