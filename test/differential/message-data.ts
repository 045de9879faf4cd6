/**
 * The data for renderings on both sides. Each name has values of one type, so that the template generators know
 * what they read. Any value but `phone` (text or null), `points` and `quantity` may be missing; `nick` and
 * `discount` may also be null.
 */
import fc from 'fast-check';
import type { RenderContext } from '../../src/language/language.js';

/** Lower case, no surrounding white space, not numeric: see the differences that jinja2.spec.ts lists. */
export const TEXTS = [
  'premium',
  'gold',
  'a & b',
  '<b>x</b>',
  "it's",
  'say "hi"',
  'größe',
  '日本 語',
  'x-y (z) [q]',
  'émile zola',
  '5 apples',
  'a|b, c',
  '100%',
  '{x}',
  '{{ x }}',
  'c:\\new',
  '😀 ok',
  '&amp;',
];

const text = fc.constantFrom(...TEXTS);
const padded = text.map((written) => `  ${written}\n`);
const whole = fc.integer({ min: -20, max: 2_000 });
/** Eighths, which binary numbers represent exactly. */
const eighths = fc.integer({ min: -400, max: 4_000 }).map((count) => count / 8);
/** Three decimals, never halfway between two shorter numbers. */
const rate = fc
  .tuple(fc.integer({ min: -999, max: 9_999 }), fc.constantFrom(1, 2, 3, 4, 6, 7, 8, 9))
  .map(([hundredths, digit]) =>
    Number(`${hundredths < 0 ? '-' : ''}${(Math.abs(hundredths) * 10 + digit) / 1_000}`),
  );

const line = fc.record(
  { name: text, price: eighths, stock: whole, gift: fc.boolean(), tags: fc.array(text, { maxLength: 2 }) },
  { requiredKeys: ['stock'] },
);

const contact = fc.record(
  {
    first_name: text,
    last_name: text,
    phone: fc.option(text),
    tags: fc.array(text, { maxLength: 3 }),
    properties: fc.record(
      {
        plan: text,
        note: padded,
        motto: fc.oneof(text, fc.constant('')),
        nick: fc.option(text),
        'fav-colour': text,
        address: fc.record({ city: text, country: text }, { requiredKeys: [] }),
        points: whole,
        rate,
        vip: fc.boolean(),
      },
      { requiredKeys: ['points'] },
    ),
  },
  { requiredKeys: ['phone', 'properties'] },
);

const attributes = fc.record(
  {
    title: text,
    amount: eighths,
    quantity: whole,
    discount: fc.option(whole),
    gift: fc.boolean(),
    shipping: fc.record({ city: text }, { requiredKeys: [] }),
    items: fc.array(line, { maxLength: 3 }),
    numbers: fc.array(whole, { maxLength: 3 }),
  },
  { requiredKeys: ['quantity'] },
);

/** The data of one message. */
export const anyContext: fc.Arbitrary<RenderContext> = fc.record({
  contact,
  triggerEvent: fc.record({ eventName: fc.constant('order_placed'), attributes }),
  events: fc.record(
    {
      signed_up: fc.record({
        attributes: fc.record({ plan: text, total: eighths }, { requiredKeys: [] }),
      }),
    },
    { requiredKeys: [] },
  ),
  now: fc.constant(new Date(0)),
});
