/** Tokens of checkouts: of one workspace, for a while, signed by us. */
import { readCheckoutToken, signCheckoutToken } from './checkout-token.js';

const WORKSPACE = '0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffeea';
const OTHER = '0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffeeb';
const [OLD, NEW] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const END = new Date('2026-03-02T09:00:00Z');
const token = signCheckoutToken(WORKSPACE, END, OLD);
const after = (ms: number): Date => new Date(END.getTime() + ms);

test('names its workspace for a purchase until its end, under any of the keys', () => {
  for (const keys of [[OLD], [NEW, OLD]]) expect(readCheckoutToken(token, keys, END)).toBe(WORKSPACE);
  expect(readCheckoutToken(token, [OLD], after(1))).toBeUndefined();
  expect(readCheckoutToken(token, [NEW], END)).toBeUndefined();
});

test.each<[string, string]>([
  ['another workspace', token.replace(WORKSPACE, OTHER)],
  ['a later end', token.replace(/[.](\d+)[.]/, (_, end) => `.${Number(end) + 1}.`)],
  ['another spelling of the end', token.replace(/[.](\d+)[.]/, '.0$1.')],
  ['no signature', token.replace(/[^.]+$/, '')],
  ['half a signature', token.slice(0, -20)],
  ['nothing', ''],
])('with %s it is none', (_name, forged) =>
  expect(readCheckoutToken(forged, [OLD], after(-1))).toBeUndefined(),
);
