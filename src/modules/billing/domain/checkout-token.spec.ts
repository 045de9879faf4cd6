/** Tests that checkout tokens belong to one workspace, expire, and are signed. */
import { readCheckoutToken, signCheckoutToken } from './checkout-token.js';

const WORKSPACE = '0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffeea';
const [OLD, NEW] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const END = new Date('2026-03-02T09:00:00Z');
const token = signCheckoutToken(WORKSPACE, END, OLD);
const after = (ms: number): Date => new Date(END.getTime() + ms);

test('names its workspace for a purchase until its end, under any of the keys', () => {
  for (const keys of [[OLD], [NEW, OLD]]) expect(readCheckoutToken(token, keys, END)).toBe(WORKSPACE);
  expect(readCheckoutToken(token, [OLD], after(1))).toBeUndefined();
  expect(readCheckoutToken(token, [NEW], END)).toBeUndefined();
});

/** The token with one bit of a byte changed. Negative positions count from the end. */
function changed(at: number): string {
  const bytes = Buffer.from(token, 'base64url');
  const place = at < 0 ? bytes.length + at : at;
  bytes.writeUInt8(bytes.readUInt8(place) ^ 1, place);
  return bytes.toString('base64url');
}

test.each<[string, string]>([
  ['another workspace', changed(15)],
  ['a later end', changed(21)],
  ['another signature', changed(-1)],
  ['another spelling', `${token}=`],
  ['no signature', Buffer.from(token, 'base64url').subarray(0, 22).toString('base64url')],
  ['half a signature', token.slice(0, -10)],
  ['nothing', ''],
])('with %s it is none', (_name, forged) =>
  expect(readCheckoutToken(forged, [OLD], after(-1))).toBeUndefined(),
);
