/** Tests how many connections one network may hold, identified by the remote address. */
import { createServer } from 'node:http';
import { Socket } from 'node:net';
import { limitConnections, CONNECTION_LIMITS } from './connection-limits.js';

/** A connection from an address, as a server receives it. */
function connectionFrom(address: string): Socket {
  return Object.defineProperty(new Socket(), 'remoteAddress', { value: address });
}

function heldBy(addresses: readonly string[], isProxy?: (address: string) => boolean): boolean[] {
  const server = createServer();
  limitConnections(server, { ...CONNECTION_LIMITS, maxPerAddress: 2 }, isProxy);
  return addresses.map((address) => {
    const connection = connectionFrom(address);
    server.emit('connection', connection);
    return !connection.destroyed;
  });
}

test('an address holds so many connections, and others hold theirs', () => {
  expect(heldBy(['192.0.2.1', '192.0.2.1', '192.0.2.1', '192.0.2.2', '::ffff:192.0.2.1'])).toEqual([
    true,
    true,
    false,
    true,
    false,
  ]);
});

test('a household of IPv6 is one, whichever of its addresses it takes', () => {
  expect(heldBy(['2001:db8::1', '2001:db8::2', '2001:db8::beef:3', '2001:db8:0:1::1'])).toEqual([
    true,
    true,
    false,
    true,
  ]);
});

test('a proxy speaks for many', () => {
  expect(heldBy(['10.0.0.1', '10.0.0.1', '10.0.0.1'], (address) => address === '10.0.0.1')).toEqual([
    true,
    true,
    true,
  ]);
});

test('what has ended leaves room', async () => {
  const server = createServer();
  limitConnections(server, { ...CONNECTION_LIMITS, maxPerAddress: 1 });
  const first = connectionFrom('2001:db8::1');
  server.emit('connection', first);
  await new Promise((resolve) => first.once('close', resolve).destroy());
  const next = connectionFrom('2001:db8::2');
  server.emit('connection', next);
  expect(next.destroyed).toBe(false);
  next.destroy();
});
