/**
 * The email of the template benchmark: 30 KB of HTML with forty expressions, five conditions and a loop over
 * twenty products. It exists as NLT and as Handlebars, with the data of one message in the shape that each
 * expects.
 */
import type { RenderContext } from '../src/language/language.js';

const STYLES = 60;
const CARDS = 27;
const ITEMS = 20;
const LOREM =
  'Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore et dolore magna ' +
  'aliqua. Ut enim ad minim veniam, quis nostrud exercitation ullamco laboris nisi ut aliquip ex ea commodo consequat.';

/** How a language writes the constructs that the email uses. */
interface Language {
  readonly user: (field: string) => string;
  readonly event: (field: string) => string;
  readonly userOr: (field: string, fallback: string) => string;
  readonly currency: (field: string) => string;
  readonly uppercase: (field: string) => string;
  readonly when: (test: string, yes: string, no: string) => string;
  readonly each: (body: (item: (field: string) => string) => string) => string;
}

const NLT: Language = {
  user: (field) => `{the user's ${field.replaceAll('_', ' ')}}`,
  event: (field) => `{the ${field.replaceAll('_', ' ')} from the trigger event}`,
  userOr: (field, fallback) => `{the user's ${field.replaceAll('_', ' ')}, or "${fallback}"}`,
  currency: (field) => `{the ${field.replaceAll('_', ' ')} from the trigger event, as "currency EUR"}`,
  uppercase: (field) => `{the user's ${field.replaceAll('_', ' ')}, uppercase}`,
  when: (test, yes, no) => `{if the user's ${test.replaceAll('_', ' ')}}${yes}{else}${no}{end if}`,
  each: (body) =>
    `{for each item in the items from the trigger event}${body((field) => `{the item's ${field}}`)}{end for}`,
};

const HANDLEBARS: Language = {
  user: (field) => `{{user.${field}}}`,
  event: (field) => `{{event.${field}}}`,
  userOr: (field, fallback) => `{{#if user.${field}}}{{user.${field}}}{{else}}${fallback}{{/if}}`,
  currency: (field) => `{{currency event.${field}}}`,
  uppercase: (field) => `{{uppercase user.${field}}}`,
  when: (test, yes, no) => `{{#if user.${test}}}${yes}{{else}}${no}{{/if}}`,
  each: (body) => `{{#each event.items}}${body((field) => `{{${field}}}`)}{{/each}}`,
};

/** The email's HTML as NLT. */
export function nltEmail(): string {
  return email(NLT);
}

/** The email's HTML as Handlebars; `currency` and `uppercase` are helpers. */
export function handlebarsEmail(): string {
  return email(HANDLEBARS);
}

/** The context with which Handlebars renders one message. */
export interface HandlebarsContext {
  readonly user: Record<string, unknown>;
  readonly event: Record<string, unknown>;
}

/** The data of message number `index`. */
export function handlebarsContext(index: number): HandlebarsContext {
  return {
    user: {
      external_id: `person-${index}`,
      first_name: index % 5 === 0 ? '' : `Ann-${index}`,
      city: index % 7 === 0 ? '' : `Town & Country ${index % 90}`,
      plan: index % 3 === 0 ? 'premium' : 'free',
      points: index * 7,
      vip: index % 2 === 0,
      wants_news: index % 3 !== 0,
      has_app: index % 4 === 0,
      has_debts: false,
      is_new: index % 6 === 0,
    },
    event: {
      campaign: 7,
      order_number: `A-${100_000 + index}`,
      total: 40 + (index % 1_000) / 100,
      shop: 'Fish & Chips',
      support_phone: '+1 555 0100',
      address: '1 Main St <rear>',
      items: Array.from({ length: ITEMS }, (_, item) => ({
        name: `Item <${index + item}>`,
        quantity: item + 1,
        price: (item * 3.5).toFixed(2),
        sku: `S${index}-${item}`,
      })),
    },
  };
}

/** The same data in the shape that NLT expects. */
export function nltContext({ user, event }: HandlebarsContext, now: Date): RenderContext {
  const { external_id, first_name, ...properties } = user;
  return {
    contact: { external_id, first_name, properties },
    triggerEvent: { eventName: 'picks_ready', attributes: event },
    now,
  };
}

function email({ user, event, userOr, currency, uppercase, when, each }: Language): string {
  const styles = Array.from(
    { length: STYLES },
    (_, i) =>
      `.c${i} { font-family: Arial, Helvetica, sans-serif; font-size: ${10 + (i % 9)}px; line-height: 1.5; ` +
      `color: #33${i % 10}${i % 10}33; padding: ${i % 20}px }\n`,
  ).join('');
  // One expression in each card: twenty-seven of the forty.
  const card = (i: number): string =>
    [user('first_name'), user('plan'), event('shop'), user('points')][i % 4] ?? '';
  const cards = Array.from(
    { length: CARDS },
    (_, i) =>
      `<tr><td class="c${i}" style="padding:10px 20px;background:#f${i % 9}f${i % 9}f${i % 9}">` +
      `<img src="https://cdn.example.test/img/${i}.png" width="180" height="120" alt="Card ${i}">` +
      `<h3 style="margin:0;font-size:18px;line-height:24px;color:#1a1a1a">Card ${i} for ${card(i)}</h3>` +
      `<p style="margin:4px 0;color:#666666;font-size:14px;line-height:20px">${LOREM}</p>` +
      `<p style="margin:4px 0;color:#666666;font-size:14px;line-height:20px">${LOREM}</p></td></tr>\n`,
  ).join('');
  const items = each(
    (item) =>
      `<tr><td><a href="https://example.test/p?sku=${item('sku')}">${item('name')}</a></td>` +
      `<td align="right">${item('quantity')} &times; ${item('price')} EUR</td></tr>\n`,
  );
  return (
    `<!doctype html>\n<html><head><meta charset="utf-8"><title>Order ${event('order_number')}</title>\n` +
    `<style>\n${styles}</style></head>\n<body><table width="600" align="center">\n` +
    `<tr><td><h1>Hello ${userOr('first_name', 'there')}!</h1><p>Greetings to ${userOr('city', 'your town')}.</p>` +
    `${when('vip', `<p>VIP of ${event('shop')}</p>`, '<p>Join our club</p>')}` +
    `${when('is_new', '<p>Welcome</p>', '<p>Welcome back</p>')}</td></tr>\n${cards}${items}` +
    `<tr><td>Total ${currency('total')}, plan ${uppercase('plan')}</td></tr>\n` +
    `<tr><td>${when('wants_news', '<p>News</p>', '<p>No news</p>')}${when('has_app', '<p>App</p>', '<p>Get it</p>')}` +
    `${when('has_debts', '<p>Please pay</p>', '<p>All paid</p>')}</td></tr>\n` +
    `<tr><td><a href="https://example.test/u?u=${user('external_id')}&amp;c=${event('campaign')}">Unsubscribe</a> ` +
    `<a href="https://example.test/o?o=${event('order_number')}">Order</a> ${event('support_phone')}, ` +
    `${event('address')}, ${event('shop')}, ${user('plan')}</td></tr>\n</table></body></html>\n`
  );
}
