/**
 * The corpus of the language: one line per case, template on the left, what it renders to on the right. Text mode
 * unless a table says otherwise, so that escaping does not blur the meaning; escaping has its own corpus.
 */
import { compileTemplate } from './compiler.js';
import { parseTemplate } from './parser.js';
import type { RenderContext } from './render-context.js';

const items = [
  { name: 'Mug', price: 0.1, quantity: 2, tags: ['blue', 'tall'] },
  { name: 'Cup', price: 0.2, quantity: 1, tags: [] },
];

const context: RenderContext = {
  contact: {
    email: 'ann@example.com',
    first_name: 'Ann',
    last_name: "o'neil-smith",
    phone: null,
    properties: {
      plan: 'Premium',
      Phone: '+43 1 23',
      favouriteColour: 'Blue',
      'shoe-size': 41,
      Points: 150,
      balance: '12.50',
      debt: -7,
      third: 10,
      zero: 0,
      vip: true,
      blocked: false,
      nickname: '  ',
      note: '',
      title: 'the GREAT escape',
      tags: ['vip', 'beta'],
      none: [],
      empty: {},
      address: { city: 'Graz', 'Zip Code': 8010, geo: { lat: 47.07 } },
      'Terms and Conditions': 'accepted',
      'Is Premium': 'yes',
      'utm.source': 'news',
      since: '2026-05-01',
      seen: '2026-04-30T22:30:00Z',
      seconds: 1777588200,
      born: new Date('1990-02-03T04:05:06Z'),
      huge: 1e21,
      tiny: 0.0000001,
      tail: 'end event',
      emoji: '👍🏽a',
    },
  },
  triggerEvent: {
    event_name: 'order_placed',
    attributes: {
      amount: 1234.5,
      order_id: 'A-1',
      items,
      customer: { name: 'Bob' },
      email: null,
      currency: 'EUR',
    },
  },
  events: {
    signed_up: { attributes: { plan: 'gold', ref: null } },
    'Order Shipped': { attributes: { carrier: 'DHL' } },
  },
  now: new Date('2026-05-01T22:30:15.250Z'),
  locale: 'en-US',
  timeZone: 'Europe/Vienna',
};

function rendered(source: string, overrides: Partial<RenderContext> = {}): string {
  const result = compileTemplate(parseTemplate(source), 'text').render({ ...context, ...overrides });
  return result.kind === 'rendered' ? result.text : JSON.stringify(result);
}

type Table = readonly (readonly [template: string, expected: string])[];

const tables: Record<string, Table> = {
  'text and braces that are no expressions': [
    ['', ''],
    ['plain', 'plain'],
    ['{', '{'],
    ['}', '}'],
    ['{}', '{}'],
    ['{ }', '{ }'],
    ['a { color: red }', 'a { color: red }'],
    ['@media x{a{color:red}}', '@media x{a{color:red}}'],
    ['{"a":{"b":1}}', '{"a":{"b":1}}'],
    ['{{ contact.first_name }}', '{{ contact.first_name }}'],
    ["{{the user's First Name}}", "{{the user's First Name}}"],
    ['{% if x %}y{% endif %}', '{% if x %}y{% endif %}'],
    ['{# note #}', '{# note #}'],
    ['{the}', '{the}'],
    ['{theme}', '{theme}'],
    ['{the, end}', '{the, end}'],
    ['{iffy}', '{iffy}'],
    ['{if(x)}', '{if(x)}'],
    ['{elsewhere}', '{elsewhere}'],
    ['{ending}', '{ending}'],
    ['{end}', '{end}'],
    ['{end of file}', '{end of file}'],
    ['{for the record}', '{for the record}'],
    ['{for each}', '{for each}'],
    ['{todays}', '{todays}'],
    ['{nowhere}', '{nowhere}'],
    ['{now()}', '{now()}'],
    ['{First Name}', '{First Name}'],
    ["{user's First Name}", "{user's First Name}"],
    ['{"x": {the order ID}}', '{"x": A-1}'],
    ['{ "the" }', '{ "the" }'],
    ['{<b>bold</b>}', '{<b>bold</b>}'],
  ],
  'the contact': [
    ["{the user's First Name}", 'Ann'],
    ["{the user's first_name}", 'Ann'],
    ["{the user's firstName}", 'Ann'],
    ["{the user's FIRST-NAME}", 'Ann'],
    ["{THE USER'S First Name}", 'Ann'],
    ["{The User's first   name}", 'Ann'],
    ["{ the user's First Name }", 'Ann'],
    ["{the user's Email}", 'ann@example.com'],
    ["{the user's Plan}", 'Premium'],
    ["{the user's Favourite Colour}", 'Blue'],
    ["{the user's shoe size}", '41'],
    ["{the user's Shoe_Size}", '41'],
    ["{the user's Phone}", '+43 1 23'],
    ["{the user's Address's City}", 'Graz'],
    ["{the user's address.city}", 'Graz'],
    ["{the user's address.Zip Code}", '8010'],
    ["{the user's Address's Geo's Lat}", '47.07'],
    ["{the user's address.geo.lat}", '47.07'],
    ["{the user's properties.plan}", 'Premium'],
    ['{the user.first_name}', 'Ann'],
    ["{the user's Terms and Conditions}", 'accepted'],
    ["{the user's terms_and_conditions}", 'accepted'],
    ["{the user's Is Premium}", 'yes'],
    ['{the user\'s "utm.source"}', 'news'],
    ["{the user's Tags}", 'vip, beta'],
    ["{the user's tags.0}", 'vip'],
    ["{the user's tags.length}", ''],
    ["{the user's tags.7}", ''],
    ["{the user's Address}", ''],
    ["{the user's VIP}", 'true'],
    ["{the user's Blocked}", 'false'],
    ["{the user's Zero}", '0'],
    ["{the user's Huge}", '1000000000000000000000'],
    ["{the user's Tiny}", '0.0000001'],
    ["{the user's Born}", '1990-02-03T04:05:06.000Z'],
    ["{the user's Nope}", ''],
    ["{the user's Nope's City}", ''],
    ["{the user's Plan's Length}", ''],
    ["{the user's __proto__}", ''],
    ["{the user's constructor}", ''],
    ["{the user's constructor's name}", ''],
    ["{the user's toString}", ''],
    ["{the user's address.hasOwnProperty}", ''],
  ],
  'what an editor leaves in braces': [
    ["{the user's <b>First Name</b>}", 'Ann'],
    ["{<b>the user's First Name</b>}", 'Ann'],
    ["{the user<i>'s</i> Fir<u>st</u> Name}", 'Ann'],
    ["{the user's<br>First<br/>Name}", 'Ann'],
    ["{the user's&nbsp;First&nbsp;Name}", 'Ann'],
    ["{the\u00a0user's First\u00a0Name}", 'Ann'],
    ["{the\nuser's\r\n\tFirst Name}", 'Ann'],
    ["{the user's First\u200bName}", 'Ann'],
    ['{the user’s First Name}', 'Ann'],
    ['{the user&rsquo;s First Name}', 'Ann'],
    ['{the user&#39;s First Name}', 'Ann'],
    ['{the user&#x27;s First Name}', 'Ann'],
    ['{the user&apos;s First Name}', 'Ann'],
    ["{the user's Nope, or &quot;there&quot;}", 'there'],
    ["{the user's Nope, or &#34;there&#34;}", 'there'],
    ["{the user's Nope, or “there”}", 'there'],
    ["{the user's Nope, or &ldquo;there&rdquo;}", 'there'],
    ["{the user's Nope, or 'there'}", 'there'],
    ["{the user's Nope, or 'don't know'}", "don't know"],
    ['{the user\'s Nope, or "a <b>good</b> friend"}', 'a good friend'],
    ['{the user\'s Nope, or "dear&nbsp;friend"}', 'dear friend'],
    ['{the user\'s Nope, or "Tom &amp; Ann"}', 'Tom & Ann'],
    ['{the user\'s Nope, or "1 < 2"}', '1 < 2'],
    ['{the user\'s Nope, or "&lt;br&gt;"}', '<br>'],
    ['{the user\'s Nope, or "{x}"}', '{x}'],
    ['{the user\'s Nope, or "}"}', '}'],
    ['{the user\'s <span style="color:red">Plan</span>, or "none"}', 'Premium'],
    ["{if&nbsp;the user's <b>Plan</b> is&nbsp;premium}y{end&nbsp;if}", 'y'],
  ],
  'the trigger event': [
    ['{the Amount from the trigger event}', '1234.5'],
    ['{the order id from the trigger event}', 'A-1'],
    ['{the Order ID from the TRIGGER Event}', 'A-1'],
    ["{the Customer's Name from the trigger event}", 'Bob'],
    ['{the customer.name from the trigger event}', 'Bob'],
    ['{the Nope from the trigger event}', ''],
    ['{the First Name from the trigger event}', ''],
  ],
  'events by name': [
    ['{the Plan from the signed up event}', 'gold'],
    ['{the plan from the signed_up event}', 'gold'],
    ['{the plan from the Signed-Up event}', 'gold'],
    ['{the plan from the "signed up" event}', 'gold'],
    ['{the Carrier from the order shipped event}', 'DHL'],
    ['{the Carrier from the Order Shipped event}', 'DHL'],
    ['{the Amount from the order placed event}', '1234.5'],
    ['{the Plan from the left event}', ''],
    ['{the Ref from the signed up event}', ''],
    ['{the x from the "trigger" event}', ''],
    ['{the x from the __proto__ event}', ''],
    ['{the x from the constructor event}', ''],
  ],
  'the short form': [
    ['{the order ID}', 'A-1'],
    ['{the Amount}', '1234.5'],
    ["{the Customer's Name}", 'Bob'],
    ['{the First Name}', 'Ann'],
    ['{the Plan}', 'Premium'],
    ['{the Email}', 'ann@example.com'],
    ['{the user}', ''],
    ['{the nope}', ''],
  ],
  moments: [
    ['{today}', 'May 2, 2026'],
    ['{TODAY}', 'May 2, 2026'],
    ['{now}', 'May 2, 2026, 12:30 AM'],
    ['{today, as "yyyy-MM-dd"}', '2026-05-02'],
    ['{now, as "yyyy-MM-dd HH:mm:ss.SSS"}', '2026-05-02 00:30:15.250'],
    ['{today, uppercase}', 'MAY 2, 2026'],
  ],
  or: [
    ['{the user\'s First Name, or "there"}', 'Ann'],
    ['{the user\'s Nope, or "there"}', 'there'],
    ['{the user\'s Note, or "there"}', 'there'],
    ['{the user\'s Nickname, or "there"}', 'there'],
    ['{the user\'s None, or "no tags"}', 'no tags'],
    ['{the user\'s Empty, or "nothing"}', 'nothing'],
    ['{the user\'s Zero, or "there"}', '0'],
    ['{the user\'s Blocked, or "there"}', 'false'],
    ["{the user's Nope, or 5}", '5'],
    ["{the user's Nope, or true}", 'true'],
    ["{the user's Nope, or the user's First Name}", 'Ann'],
    ['{the user\'s Nope, or the user\'s Nix, or "friend"}', 'friend'],
    ['{the user\'s Nope, or today, as "yyyy"}', '2026'],
    ['{the user\'s Nope, or ""}', ''],
    ['{the user\'s Nope, uppercase, or "there"}', 'there'],
    ['{the user\'s Nope, or "there", uppercase}', 'THERE'],
    ['{the user\'s Nope plus 1, or "none"}', 'none'],
    ['{the user\'s Nope, Or "there"}', 'there'],
  ],
  required: [
    ["{the user's First Name, required}", 'Ann'],
    ["x {the user's Nope, required}", '{"kind":"suppressed","field":"Nope"}'],
    ["{the user's Note, required}", '{"kind":"suppressed","field":"Note"}'],
    ['{the user\'s Nope, required, or "there"}', 'there'],
    ['{the user\'s Nope, or "there", required}', 'there'],
    ['{the user\'s Nope, or "", required}', '{"kind":"suppressed","field":"Nope"}'],
    ["{the user's Zero, required}", '0'],
    ["{the user's Address's Street, required}", '{"kind":"suppressed","field":"Address.Street"}'],
    ['{the Code from the trigger event, required}', '{"kind":"suppressed","field":"Code"}'],
    ["{5 times the user's Nope, required}", "{5 times the user's Nope, required}"],
    ["{the user's Nope times 5, required}", '{"kind":"suppressed","field":"Nope"}'],
    ["{if the user's VIP}y{else}{the user's Nope, required}{end if}", 'y'],
    ["{for each X in the user's Nope, required}{end for}", '{"kind":"suppressed","field":"Nope"}'],
  ],
  'numbers as …': [
    ['{the Amount, as "currency"}', '$1,234.50'],
    ['{the Amount, as "currency EUR"}', '€1,234.50'],
    ['{the Amount, as "Currency  eur"}', '€1,234.50'],
    ['{the Amount, as "currency JPY"}', '¥1,235'],
    ['{the Amount, as "number"}', '1,234.5'],
    ['{the user\'s Balance, as "currency"}', '$12.50'],
    ['{the user\'s Debt, as "currency"}', '-$7.00'],
    ['{the user\'s Zero, as "percent"}', '0%'],
    ['{the user\'s Balance divided by 100, as "percent"}', '12.5%'],
    ['{the user\'s Plan, as "currency"}', 'Premium'],
    ['{the user\'s Nope, as "currency"}', ''],
    ['{the user\'s Nope, as "currency", or "free"}', 'free'],
    ['{the user\'s Huge, as "number"}', '1,000,000,000,000,000,000,000'],
    ['{the Amount, as "NUMBER"}', '1,234.5'],
  ],
  'dates as …': [
    ['{the user\'s Since, as "date"}', 'May 1, 2026'],
    ['{the user\'s Since, as "short date"}', '5/1/26'],
    ['{the user\'s Since, as "Long Date"}', 'May 1, 2026'],
    ['{the user\'s Seen, as "date"}', 'May 1, 2026'],
    ['{the user\'s Seen, as "time"}', '12:30 AM'],
    ['{the user\'s Seen, as "date and time"}', 'May 1, 2026, 12:30 AM'],
    ['{the user\'s Seconds, as "yyyy-MM-dd HH:mm"}', '2026-05-01 00:30'],
    ['{the user\'s Born, as "d MMMM yyyy"}', '3 February 1990'],
    ['{the user\'s Since, as "d MMM yyyy"}', '1 May 2026'],
    ['{the user\'s Since, as "EEEE"}', 'Friday'],
    ['{the user\'s Since, as "EEE dd.MM.yy"}', 'Fri 01.05.26'],
    ['{the user\'s Since, as "HH:mm"}', '00:00'],
    ['{the user\'s Seen, as "h:mm a"}', '12:30 AM'],
    ["{the user's Since, as \"d 'of' MMMM\"}", '1 of May'],
    ['{the user\'s Plan, as "date"}', 'Premium'],
    ['{the user\'s Nope, as "date"}', ''],
  ],
  'letter case': [
    ["{the user's Plan, uppercase}", 'PREMIUM'],
    ["{the user's Plan, lowercase}", 'premium'],
    ["{the user's Title, titlecase}", 'The Great Escape'],
    ["{the user's Title, capitalized}", 'The great escape'],
    ["{the user's Last Name, titlecase}", "O'neil-Smith"],
    ["{the user's Tags, uppercase}", 'VIP, BETA'],
    ["{the user's Note, capitalized}", ''],
    ["{the user's Points, uppercase}", '150'],
    ["{the user's Plan, UPPERCASE}", 'PREMIUM'],
  ],
  texts: [
    ["[{the user's Nickname, trimmed}]", '[]'],
    ['{the user\'s Plan, replacing "m" with "M"}', 'PreMiuM'],
    ['{the user\'s Title, replacing " " with ""}', 'theGREATescape'],
    ['{the user\'s Email, replacing "." with "$&"}', 'ann@example$&com'],
    ['{the user\'s Plan, replacing "x" with "y"}', 'Premium'],
    ['{the user\'s Points, replacing "5" with "_"}', '1_0'],
    ['{the user\'s Plan, replacing "pre" with "", uppercase}', 'PREMIUM'],
    ["{the user's Plan, count}", '7'],
    ["{the user's Emoji, count}", '3'],
  ],
  rounding: [
    ['{the Amount, rounded}', '1235'],
    ['{the Amount, rounded down}', '1234'],
    ['{the Amount, rounded up}', '1235'],
    ["{the user's Third divided by 3, rounded to 2}", '3.33'],
    ["{the user's Third divided by 3, rounded up to 2}", '3.34'],
    ["{the user's Third divided by 4, rounded}", '3'],
    ["{the user's Third divided by -4, rounded}", '-3'],
    ["{the user's Third divided by -4, rounded down}", '-3'],
    ["{the user's Third divided by -4, rounded up}", '-2'],
    ['{the Amount, rounded to 2}', '1234.5'],
    ["{the user's Points, rounded to 2}", '150'],
    ["{the user's Plan, rounded}", 'Premium'],
    ["{the user's Balance, rounded}", '13'],
  ],
  lists: [
    ["{the user's Tags, count}", '2'],
    ["{the user's None, count}", '0'],
    ["{the user's Nope, count}", ''],
    ["{the user's Tags, first}", 'vip'],
    ["{the user's Tags, last}", 'beta'],
    ["{the user's None, first}", ''],
    ['{the user\'s Tags, joined with " and "}', 'vip and beta'],
    ['{the user\'s None, joined with ", "}', ''],
    ["{the user's Tags, first, uppercase}", 'VIP'],
    ["{the user's Plan, first}", 'Premium'],
    ['{the user\'s Plan, joined with "-"}', 'Premium'],
    ["{the user's Address, count}", '3'],
  ],
  arithmetic: [
    ["{the user's Points plus 100}", '250'],
    ["{the user's Points minus 200}", '-50'],
    ["{the user's Points times 2}", '300'],
    ["{the user's Points divided by 4}", '37.5'],
    ["{the user's Points modulo 40}", '30'],
    ["{the user's Debt modulo 3}", '2'],
    ["{the user's Points plus 2 times 3}", '156'],
    ["{the user's Points times 2 plus 3}", '303'],
    ["{the user's Points minus 50 minus 50}", '50'],
    ["{the user's Points divided by 10 divided by 3}", '5'],
    ["{the user's Third divided by 3}", '3.3333333333333333333'],
    ["{the user's Balance plus 0.1}", '12.6'],
    ["{the user's Zero plus 0.1 plus 0.2}", '0.3'],
    ["{the user's Zero plus 1.1 times 3}", '3.3'],
    ['{the Amount times 1.2, as "currency"}', '$1,481.40'],
    ["{the user's Points plus -5}", '145'],
    ["{the user's Points plus the Amount from the trigger event}", '1384.5'],
    ["{the user's Points divided by 0}", ''],
    ["{the user's Points modulo the user's Zero}", ''],
    ["{the user's Points plus the user's Nope}", ''],
    ["{the user's Points plus the user's Plan}", ''],
    ["{the user's VIP plus 1}", ''],
    ["{the user's Tags plus 1}", ''],
    ["{the user's Huge plus 1}", '1000000000000000000001'],
    ["{the user's Points times 9007199254740993}", '1351079888211148950'],
    ["{the user's times}", ''],
    ["{the user's Points PLUS 1}", '151'],
  ],
  conditions: [
    ["{if the user's Plan is premium}y{end if}", 'y'],
    ["{if the user's Plan is gold}y{end if}", ''],
    ["{if the user's Plan is gold}y{else}n{end if}", 'n'],
    ["{if the user's Plan is gold}a{else if the user's Plan is premium}b{else}c{end if}", 'b'],
    ["{if the user's Nope is 1}a{else if the user's Nope is 2}b{else if the VIP}c{end if}", 'c'],
    ["{IF the user's Plan IS Premium}y{END IF}", 'y'],
    ["{if the user's VIP}{if the user's Blocked}a{else}b{end if}{else}c{end if}", 'b'],
  ],
};

/** Conditions alone: `y` if they hold, `n` if not. */
const conditions: Table = [
  ["the user's Plan is premium", 'y'],
  ['the user\'s Plan is "premium"', 'y'],
  ["the user's Plan is not premium", 'n'],
  ["the user's Plan is equal to premium", 'y'],
  ["the user's Plan is not equal to gold", 'y'],
  ["the user's Title is the GREAT escape", 'n'],
  ['the user\'s Title is "The Great Escape"', 'y'],
  ["the user's Points is 150", 'y'],
  ["the user's Points is 150.0", 'y'],
  ['the user\'s Points is "150"', 'y'],
  ["the user's Balance is 12.5", 'y'],
  ['the user\'s Balance is "12.5"', 'n'],
  ["the user's Points is 150 points", 'n'],
  ["the user's Points is 100 plus 50", 'y'],
  ["the user's Points is greater than 100", 'y'],
  ["the user's Points is greater than 150", 'n'],
  ["the user's Points is at least 150", 'y'],
  ["the user's Points is at most 150", 'y'],
  ["the user's Points is less than 150", 'n'],
  ["the user's Points is less than the Amount", 'y'],
  ["the user's Points is not greater than 150", 'y'],
  ["the user's Points is not less than 150", 'y'],
  ["the user's Points is not at least 150", 'n'],
  ["the user's Points is not at most 150", 'n'],
  ["the user's Balance is greater than 9", 'y'],
  ["the user's Debt is less than -6.5", 'y'],
  ["the user's Points plus 10 is greater than 155", 'y'],
  ["the user's Points is greater than the user's Balance times 12", 'n'],
  ["the user's Plan is greater than 5", 'n'],
  ["the user's Plan is less than 5", 'n'],
  ["the user's Nope is greater than 5", 'n'],
  ["the user's Nope is less than 5", 'n'],
  ["the user's Nope is premium", 'n'],
  ["the user's Nope is not premium", 'y'],
  ["the user's Nope is the user's Nix", 'n'],
  ["the user's VIP is true", 'y'],
  ["the user's VIP is not false", 'y'],
  ['the user\'s VIP is "true"', 'y'],
  ["the user's Blocked is false", 'y'],
  ["the user's Zero is false", 'n'],
  ["the user's VIP", 'y'],
  ["the user's Blocked", 'n'],
  ["the user's Zero", 'n'],
  ["the user's Nope", 'n'],
  ["the user's None", 'n'],
  ["the user's Plan", 'y'],
  ["not the user's Nope", 'y'],
  ["the user's Email contains @example", 'y'],
  ["the user's Email contains EXAMPLE", 'y'],
  ["the user's Email does not contain example", 'n'],
  ["the user's Tags contains vip", 'y'],
  ["the user's Tags contains VIP", 'y'],
  ["the user's Tags contains vi", 'n'],
  ["the user's Tags does not contain vip", 'n'],
  ["the user's Nope contains x", 'n'],
  ["the user's Nope does not contain x", 'y'],
  ["the user's Email starts with ann", 'y'],
  ["the user's Email starts with bob", 'n'],
  ["the user's Email does not start with bob", 'y'],
  ["the user's Email ends with .com", 'y'],
  ["the user's Email does not end with .com", 'n'],
  ["the user's Points starts with 15", 'y'],
  ['the user\'s Plan is one of "gold", "premium"', 'y'],
  ["the user's Plan is one of gold, premium", 'y'],
  ['the user\'s Plan is one of "gold" or "premium"', 'y'],
  ['the user\'s Plan is one of "gold", "silver", or "premium"', 'y'],
  ['the user\'s Plan is not one of "gold", "silver"', 'y'],
  ["the user's Points is one of 1, 150", 'y'],
  ["the Plan from the signed up event is one of the user's Tags, gold", 'y'],
  ['the user\'s Plan is one of "gold", "silver" or the user\'s VIP', 'y'],
  ["the user's Plan exists", 'y'],
  ["the user's Note exists", 'y'],
  ["the user's Nope exists", 'n'],
  ["the user's Nope does not exist", 'y'],
  ["the user's Note is empty", 'y'],
  ["the user's Nickname is empty", 'y'],
  ["the user's None is empty", 'y'],
  ["the user's Nope is empty", 'y'],
  ["the user's Zero is empty", 'n'],
  ["the user's Plan is not empty", 'y'],
  ["the user's Plan is empty handed", 'n'],
  ["the user's VIP and the user's Blocked", 'n'],
  ["the user's VIP or the user's Blocked", 'y'],
  ["the user's VIP or the user's VIP and the user's Blocked", 'y'],
  ["the user's Blocked and the user's VIP or the user's VIP", 'y'],
  ["the user's Blocked and the user's VIP or not the user's VIP", 'n'],
  ["not the user's Plan is gold", 'y'],
  ["not the user's Points is not greater than 100", 'y'],
  ["not the user's VIP or the user's VIP", 'y'],
  ["the user's Plan is premium, and the user's VIP is true", 'y'],
  ["the user's Plan is gold, or the user's VIP is true", 'y'],
  ["the user's Tags, count is greater than 1", 'y'],
  ["the user's Tags, count, is greater than 2", 'n'],
  ["the user's Tags, first is vip", 'y'],
  ['the user\'s Nope, or "x" is x', 'y'],
  ["the user's Plan, lowercase is the user's Plan, lowercase", 'y'],
  ["the user's Since is less than today", 'y'],
  ["the user's Since is today", 'n'],
  ["the user's Since is at most now", 'y'],
  ["now is greater than the user's Since", 'y'],
  ["the user's Seen is greater than the user's Since", 'n'],
  ["the user's Seen is at least the user's Since", 'y'],
  ["the user's Born is less than today", 'y'],
  ['today is "2026-05-02"', 'y'],
  ['now is "2026-05-02"', 'y'],
  ["today is the user's Plan", 'n'],
  ["the user's Tags is vip", 'n'],
  ["the user's Address is x", 'n'],
  ["the user's Address contains x", 'n'],
  ["the user's Is Premium is yes", 'y'],
  ['the user\'s "Terms and Conditions" is accepted', 'y'],
  ["the Customer's Name from the trigger event is Bob", 'y'],
  ['the Plan from the signed up event is gold and the VIP', 'y'],
  ["the user's Tail is end event", 'y'],
];

const loops: Table = [
  ["{for each Item in the Items from the trigger event}{the Item's Name};{end for}", 'Mug;Cup;'],
  ["{for each item in the Items}{the ITEM's name};{end for each}", 'Mug;Cup;'],
  ['{FOR EACH Item IN the Items}x{END FOR}', 'xx'],
  ["{for each Tag in the user's Tags}<{the Tag}>{end for}", '<vip><beta>'],
  [
    "{for each Line Item in the Items}{the Line Item's Name},{the line_item's name};{end for}",
    'Mug,Mug;Cup,Cup;',
  ],
  ["{for each I in the Items}{the I's Price times the I's Quantity};{end for}", '0.2;0.2;'],
  [
    "{for each I in the Items}{for each T in the I's Tags}{the I's Name}-{the T} {end for}{end for}",
    'Mug-blue Mug-tall ',
  ],
  [
    "{for each I in the Items}{for each I in the I's Tags}{the I}{end for}{the I's Name};{end for}",
    'bluetallMug;Cup;',
  ],
  ["{for each I in the Items}{if the I's Quantity is 1}{the I's Name}{end if}{end for}", 'Cup'],
  ['{for each I in the Items}{the First Name}{end for}', 'AnnAnn'],
  ["{for each I in the Items}{the I's Nope}{the I's constructor}{end for}", ''],
  ["{for each X in the user's Nope}x{end for}", ''],
  ["{for each X in the user's Plan}x{end for}", ''],
  ["{for each X in the user's Address}x{end for}", ''],
  ["{for each X in the user's None}x{end for}", ''],
  ["{for each Email in the user's Tags}{the Email} {end for}{the Email}", 'vip beta ann@example.com'],
  ['{for each "Line in List" in the user\'s Tags}{the "Line in List"} {end for}', 'vip beta '],
  ['{for each T in the user\'s Tags}{the T, uppercase}{the T, or "-"}{end for}', 'VIPvipBETAbeta'],
];

describe.each(Object.entries(tables))('%s', (_name, table) => {
  test.each(table)('%s → %s', (template, expected) => {
    expect(rendered(template)).toBe(expected);
  });
});

describe('comparisons', () => {
  test.each(conditions)('%s → %s', (condition, expected) => {
    expect(rendered(`{if ${condition}}y{else}n{end if}`)).toBe(expected);
  });
});

describe('loops', () => {
  test.each(loops)('%s → %s', (template, expected) => {
    expect(rendered(template)).toBe(expected);
  });
});

describe('languages and time zones', () => {
  test.each([
    ['de-AT', '{the Amount, as "currency EUR"}', '€\u00a01.234,50'],
    ['de-DE', '{the Amount, as "currency EUR"}', '1.234,50\u00a0€'],
    ['de_DE', '{the Amount, as "number"}', '1.234,5'],
    ['fr-FR', '{the Amount, as "number"}', '1\u00a0234,5'],
    ['de', '{the user\'s Since, as "long date"}', '1. Mai 2026'],
    ['de', '{the user\'s Since, as "EEEE, d. MMMM yyyy"}', 'Freitag, 1. Mai 2026'],
    ['ru', '{the user\'s Since, as "d MMMM"}', '1 мая'],
    ['ru', '{the user\'s Since, as "LLLL"}', 'май'],
    ['ja', '{the user\'s Since, as "date"}', '2026/05/01'],
    ['tr', "{the user's Title, uppercase}", 'THE GREAT ESCAPE'],
    ['tr', '{the user\'s Email, replacing "ann" with "i", uppercase}', 'İ@EXAMPLE.COM'],
    ['ar-EG', '{the user\'s Since, as "yyyy-MM-dd"}', '2026-05-01'],
    ['not a locale', '{the Amount, as "number"}', '1,234.5'],
    ['xx', '{the Amount, as "number"}', '1,234.5'],
    ['', '{the Amount, as "number"}', '1,234.5'],
  ])('%s: %s → %s', (locale, template, expected) => {
    expect(rendered(template, { locale })).toBe(expected);
  });

  test.each([
    ['UTC', '2026-05-01 22:30 +00:00 Z'],
    ['America/New_York', '2026-05-01 18:30 -04:00 -04'],
    ['Asia/Kolkata', '2026-05-02 04:00 +05:30 +0530'],
    ['Pacific/Kiritimati', '2026-05-02 12:30 +14:00 +14'],
    ['Nowhere/At All', '2026-05-01 22:30 +00:00 Z'],
    ['', '2026-05-01 22:30 +00:00 Z'],
  ])('now in %s is %s', (timeZone, expected) => {
    expect(rendered('{now, as "yyyy-MM-dd HH:mm xxx X"}', { timeZone })).toBe(expected);
  });

  test('a day without a time is the same day everywhere', () => {
    for (const timeZone of ['Pacific/Kiritimati', 'America/Los_Angeles', 'UTC']) {
      expect(rendered('{the user\'s Since, as "yyyy-MM-dd"}', { timeZone })).toBe('2026-05-01');
    }
  });
});

describe('the subject', () => {
  test.each([
    ["Hi {the user's Name}", 'Bob\r\nBcc: eve@example.com', 'Hi Bob Bcc: eve@example.com'],
    ["{the user's Name}", 'a\n\n\u2028b', 'a b'],
    ["{the user's Name}", 'Tom & <Ann>', 'Tom & <Ann>'],
    ["two\nlines {the user's Name}", 'x', 'two lines x'],
    ['{the user\'s Name, as "html"}', '<b>', '<b>'],
  ])('%j with %j → %j', (template, name, expected) => {
    const result = compileTemplate(parseTemplate(template), 'subject').render({
      ...context,
      contact: { name },
    });
    expect(result).toEqual({ kind: 'rendered', text: expected });
  });
});

describe('limits', () => {
  const many = (length: number) => ({ contact: { list: Array.from({ length }, (_, index) => index) } });
  const failure = (template: string, data: Partial<RenderContext>) => {
    const result = compileTemplate(parseTemplate(template), 'html').render({ ...context, ...data });
    return result.kind === 'failed' ? result.error.code : result.kind;
  };

  test.each([
    ['{for each X in the list}{end for}', 10_000, 'rendered'],
    ['{for each X in the list}{end for}', 10_001, 'iteration_limit'],
    ['{for each X in the list}{end for}{for each X in the list}{end for}', 6_000, 'iteration_limit'],
    ['{for each X in the list}{for each Y in the list}{end for}{end for}', 99, 'rendered'],
    ['{for each X in the list}{for each Y in the list}{end for}{end for}', 100, 'iteration_limit'],
    [`{for each X in the list}${'x'.repeat(1_000)}{end for}`, 6_000, 'output_limit'],
    [`{for each X in the list}{if the list, joined with "" is x}{end if}{end for}`, 9_000, 'work_limit'],
  ])('%.60s with %i entries → %s', (template, length, expected) => {
    expect(failure(template, many(length))).toBe(expected);
  });

  test('replacing cannot blow a text up', () => {
    const bomb = `, replacing "a" with "${'a'.repeat(900)}"`;
    expect(failure(`{the user's x${bomb}${bomb}${bomb}}`, { contact: { x: 'aaaaaaaaaa' } })).toBe(
      'output_limit',
    );
  });

  test('a large value fails instead of being sent', () => {
    expect(failure("{the user's x}", { contact: { x: 'x'.repeat(6_000_000) } })).toBe('output_limit');
  });
});

describe('data that does harm', () => {
  test.each([
    [
      'a getter that throws',
      Object.defineProperty({}, 'x', { get: () => JSON.parse('{'), enumerable: true }),
    ],
    ['a function', { x: () => 'called' }],
    ['a symbol', { x: Symbol('x') }],
    ['an invalid date', { x: new Date(Number.NaN) }],
    ['not a number', { x: Number.NaN }],
    ['an inherited property', Object.create({ x: 'inherited' }) as Record<string, unknown>],
  ])('%s shows nothing', (_name, contact) => {
    const result = compileTemplate(parseTemplate("{the user's x}"), 'text').render({ ...context, contact });
    expect(result.kind === 'rendered' ? result.text : result.kind).toMatch(/^(?:|failed)$/);
  });

  test('an own __proto__ from JSON is an ordinary key', () => {
    const contact = JSON.parse('{"__proto__": {"x": "own"}}') as Record<string, unknown>;
    expect(rendered("{the user's __proto__'s x}", { contact })).toBe('own');
  });

  test('one compiled template serves many messages', () => {
    const compiled = compileTemplate(
      parseTemplate("{the user's name}{for each X in the xs}{the X}{end for}"),
      'text',
    );
    const texts = ['a', 'b'].map((name) => compiled.render({ ...context, contact: { name, xs: [name] } }));
    expect(texts).toEqual([
      { kind: 'rendered', text: 'aa' },
      { kind: 'rendered', text: 'bb' },
    ]);
  });
});
