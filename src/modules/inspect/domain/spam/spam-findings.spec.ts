/** Each spam rule finds what it is for, ignores what only resembles it, and reports the position. */
import { repetitions } from '../../../../../test/support/test-scope.js';
import type { RuleFinding } from '../findings/finding.js';
import type { RuleName } from '../rules/catalogue.js';
import { spamInputOf, type SpamSender } from './spam-input.js';
import { spamFindings } from './spam-findings.js';

const SENDER: SpamSender = { fromEmail: 'hello@acme.com', fromName: 'Acme', replyTo: undefined };
const find = (
  html: string,
  {
    subject = 'Your order has left',
    text = '',
    sender = SENDER,
  }: { subject?: string | null; text?: string; sender?: SpamSender } = {},
): RuleFinding[] => spamFindings(spamInputOf({ subject, html, text }, sender));
const rulesIn = (findings: readonly RuleFinding[]): RuleName[] => findings.map(({ rule }) => rule);

const WORDS =
  'The quiet river carries many small boats toward harbours where patient sailors repair torn nets before evening brings ' +
  'another wind across those green hills and distant villages keep their lamps burning until everyone returns safely home';
const link = (href: string): string => `<p>${WORDS}</p><a href="${href}">the page</a>`;

test('a message as it should be gets nothing', () => {
  const html =
    `<div style="display:none">What is in it</div><h1>Hello Ada</h1><p>${WORDS}</p>` +
    '<a href="https://acme.com/orders?utm_source=mail">Your order</a><a href="https://www.facebook.com/sharer.php?u=https://acme.com/">Share</a>';
  expect(
    rulesIn(find(html, { text: `Hello Ada\n\n${WORDS}\n\nYour order: https://acme.com/orders\nShare` })),
  ).toEqual([]);
});

test.each<[RuleName, string, string]>([
  ['phrase_pressure', '<p>Act <b>now</b> and see</p>', '<p>They act nowhere</p>'],
  ['phrase_pressure', '<p>Letzte Chance</p>', '<p>last changes</p>'],
  ['phrase_money', '<p>Earn extra cash today</p>', '<p>extra cashmere</p>'],
  ['phrase_prize', '<p>You’ve won!</p>', '<p>You won over us</p>'],
  ['phrase_claim', '<p>Risk-free</p>', '<p>free</p>'],
  ['phrase_account', '<p>Your account has been suspended</p>', '<p>Your account</p>'],
  ['phrase_medicine', '<p>Buy viagra</p>', '<p>Niagara</p>'],
  ['phrase_gambling', '<p>online casino</p>', '<p>a casino in Rome</p>'],
  ['phrase_adult', '<p>hot singles</p>', '<p>singles and doubles</p>'],
  ['exclamation_many', '<p>Yes! Yes! Yes! Yes! Yes! Yes!</p>', '<p>Yes! Yes!</p>'],
  ['currency_signs', '<p>Save $$$</p>', '<p>Save $5</p>'],
  ['money_amounts', '<p>$1,000,000 for you</p>', '<p>$1,299 for you</p>'],
  ['money_amounts', '<p>€5 million</p>', '<p>5 million</p>'],
  ['capitals_many', `<p>${WORDS.toUpperCase()}</p>`, `<p>${WORDS} USA</p>`],
  ['word_mixes_scripts', '<p>Pаypal</p>', '<p>Paypal и Москва</p>'],
  ['letters_spaced', '<p>G R A T I S</p>', '<p>A B C</p>'],
  ['letters_spaced', '<p>v-i-a-g-r-a</p>', '<p>well-known e-mail</p>'],
  ['letters_replaced', '<p>your acc0unt</p>', '<p>your account 0</p>'],
  ['greeting_generic', '<p>Dear friend,</p>', '<p>A dear friend of ours</p>'],
  ['greeting_address', '<p>Hello ada@example.com,</p>', '<p>Write to ada@example.com</p>'],
  ['attachment_mentioned', '<p>Please see the attached file</p>', '<p>attached to you</p>'],
  ['emoji_many', `<p>${'🔥'.repeat(20)}</p>`, '<p>🔥🔥</p>'],
  ['link_alone', '<a href="https://acme.com">Look</a> Hi', link('https://acme.com')],
  [
    'hidden_text_colour',
    '<p style="color:#fff;background:#ffffff">weather report</p>',
    '<p style="color:#000;background:#ffffff">weather report</p>',
  ],
  [
    'hidden_text_size',
    '<p>Hello</p><p style="font-size:1px">the weather of yesterday was fine</p>',
    '<p style="font-size:1px">the weather of yesterday was fine</p><p>Hello</p>',
  ],
  [
    'hidden_text_long',
    `<p>Hello</p><div style="display:none">${WORDS}${WORDS}${WORDS}</div>`,
    `<div style="display:none">${WORDS}${'&zwnj;&nbsp;'.repeat(900)}</div><p>Hello</p>`,
  ],
  [
    'text_huge',
    '<p style="font-size:90px">everything must go today</p>',
    '<p style="font-size:40px">everything must go today</p>',
  ],
  [
    'text_screaming',
    '<p style="color:#ff0000;font-weight:bold">Everything must go</p>',
    '<p style="color:#ff0000">the amount is missing</p>',
  ],
  [
    'markup_heavy',
    `<p style="x:${'y'.repeat(30_000)}">Hello</p>`,
    `<p style="x:${'y'.repeat(300)}">Hello</p>`,
  ],
  [
    'link_domains_many',
    Array.from({ length: 11 }, (_, i) => `<a href="https://a${i}.com">x</a>`).join(''),
    Array.from({ length: 11 }, (_, i) => `<a href="https://a${i}.acme.com">x</a>`).join(''),
  ],
  ['link_tld_suspicious', link('https://acme.top/'), link('https://top.acme.com/')],
  ['link_obscured', link('https://acme.com/%6C%6F%67in'), link('https://acme.com/%C3%A4%20b%2Fc')],
  ['link_obscured', link('https://%61cme.com/'), link('https://acme.com/%61')],
  [
    'link_redirects',
    link('https://acme.com/go?to=https://evil.test/'),
    link('https://acme.com/go?to=https://shop.acme.com/'),
  ],
  ['link_nested_domain', link('https://bank.com.evil.top/'), link('https://shop.acme.com.au/')],
])('%s is found in %j and not in %j', (rule, bad, good) => {
  const found = find(bad).filter((finding) => finding.rule === rule);
  expect(found).not.toEqual([]);
  expect(rulesIn(find(good))).not.toContain(rule);
});

test.each<[RuleName, string, string]>([
  ['subject_spam_phrase', 'You have won', 'You have one message'],
  ['subject_currency', 'Win $50,000', 'Your receipt of $50'],
  ['subject_name_missing', 'Hi , your order', 'Hi Ada, your order'],
  ['subject_name_missing', 'Welcome undefined', 'Welcome'],
  ['subject_symbols', '★★★ Sale', '★ Sale'],
  ['subject_symbols', '★ Sale 🔥🔥', '🔥🔥🔥 Sale'],
  ['subject_question_marks', 'Really?!', 'Really?'],
  ['subject_random_tail', 'Your parcel 8f3k2m9x1', 'Your parcel of 2026'],
  ['subject_address', 'ada@example.com, look', 'Ada, look'],
  ['subject_link', 'See www.acme.com', 'See acme.com'],
])('%s is found in the subject %j and not in %j', (rule, bad, good) => {
  expect(rulesIn(find('<p>x</p>', { subject: bad }))).toContain(rule);
  expect(rulesIn(find('<p>x</p>', { subject: good }))).not.toContain(rule);
});

test.each<[RuleName, string, string]>([
  ['plain_text_short', 'The quiet river carries', WORDS],
  ['plain_text_differs', 'Entirely other things stand here, nothing the same', WORDS],
  ['plain_text_markup', `<p>${WORDS}</p>`, `${WORDS} a < b > c`],
])('%s is found by the plain text %j and not by %j', (rule, bad, good) => {
  const html = `<p>${WORDS}</p>`;
  expect(rulesIn(find(html, { text: bad }))).toContain(rule);
  expect(rulesIn(find(html, { text: good }))).not.toContain(rule);
});

test.each<[RuleName, Partial<SpamSender>, Partial<SpamSender>]>([
  ['from_name_address', { fromName: 'service@bank.com' }, { fromName: 'Acme @ home' }],
  ['from_name_loud', { fromName: 'BEST OFFERS' }, { fromName: 'ACME' }],
  ['from_name_loud', { fromName: 'Acme 🔥' }, { fromName: 'Acme 24' }],
  ['from_free_mail', { fromEmail: 'acme@gmail.com' }, { fromEmail: 'gmail@acme.com' }],
  [
    'from_no_reply',
    { fromEmail: 'no-reply@acme.com' },
    { fromEmail: 'no-reply@acme.com', replyTo: 'help@acme.com' },
  ],
  ['reply_to_other_domain', { replyTo: 'help@other.com' }, { replyTo: 'help@mail.acme.com' }],
  ['reply_to_free_mail', { replyTo: 'acme@gmail.com' }, { replyTo: 'help@acme.com' }],
])('%s is found of %j and not of %j', (rule, bad, good) => {
  expect(rulesIn(find('<p>x</p>', { sender: { ...SENDER, ...bad } }))).toContain(rule);
  expect(rulesIn(find('<p>x</p>', { sender: { ...SENDER, ...good } }))).not.toContain(rule);
});

test('a phrase stands where its words do, also behind entities and across elements', () => {
  const html = '<p>&euro; first</p><p>Please act <b>now</b>.</p>';
  const [found] = find(html).filter(({ rule }) => rule === 'phrase_pressure');
  expect(found).toMatchObject({ at: html.indexOf('act'), until: html.indexOf('now') + 3, target: 'act now' });
});

test('a phrase in two cells is none, and one over a break is one', () => {
  const rule = 'phrase_pressure';
  expect(rulesIn(find('<table><tr><td>fact</td><td>now</td></tr></table>'))).not.toContain(rule);
  expect(rulesIn(find('<p>act<br>now</p>'))).toContain(rule);
});

/** Well beyond the limit of text that is read, even in the short form of the tests. */
const SIZE = repetitions({ short: 400_000, full: 2_000_000 });
const rep = (text: string): string => text.repeat(Math.floor(SIZE / text.length));

/** Inputs that would take minutes without a bound; the test timeout catches one that hangs. */
test.each([
  ['one word', rep('a')],
  ['words', rep('act ')],
  ['halves of phrases', rep('you have been ')],
  ['blanks', rep(' ')],
  ['capitals with blanks', rep('A ')],
  ['letters with hyphens', rep('a-')],
  ['invisible characters', rep('a\u200b')],
  ['currency signs', rep('$1,')],
  ['signs of addresses', rep('hello a@')],
  ['paragraphs', rep('<p>act</p>')],
  ['breaks', rep('a<br>')],
  ['comments left open', rep('<!--')],
  ['comments', rep('<!---->')],
  ['links', rep('<a href="https://a.top/%61%61%61">x</a>')],
  ['addresses within addresses', rep(`<a href="https://a.com/?${'https://'.repeat(1_900)}">x</a>`)],
  ['values of a query', `<a href="https://a.com/?${rep('u=https://b.com&').slice(0, 15_000)}">x</a>`],
  ['hidden elements', rep('<b style="font-size:0">x</b>')],
])(`${SIZE} characters of %s get an answer`, (_name, html) => {
  const findings = find(html, { subject: html, text: html });
  expect(findings.length).toBeLessThan(3_000);
});
