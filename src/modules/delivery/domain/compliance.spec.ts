import { LANGUAGES } from '../../preferences/domain/language.js';
import { addressLine, complianceFooter, listUnsubscribeHeaders, withFooter } from './compliance.js';

describe('complianceFooter', () => {
  const company = {
    name: 'A & <b>',
    addressLine1: '1 "Main" St',
    city: 'X',
    postalCode: '1',
    country: 'US',
  };
  const { html, text } = complianceFooter(company, 'https://e.test/u?token=a&b', null);

  test('has name, address and link, escaped in HTML', () => {
    expect(html).toContain('A &amp; &lt;b&gt;<br>1 &quot;Main&quot; St, X 1, US<br>');
    expect(html).toContain('href="https://e.test/u?token=a&amp;b"');
  });

  test('and as they are in text', () => {
    expect(text).toBe(
      '\n\n--\nA & <b>\n1 "Main" St, X 1, US\nUnsubscribe or change preferences: https://e.test/u?token=a&b\n',
    );
  });

  test('names the link in the contact’s language, English where it has none of ours', () => {
    const wordsIn = (locale: string): string | undefined =>
      /<a [^>]*>([^<]+)<\/a>/.exec(complianceFooter(company, 'https://e.test/u', locale).html)?.[1];
    expect(wordsIn('de-AT')).toBe('Abmelden oder Einstellungen ändern');
    expect(wordsIn('ja')).toBe('Unsubscribe or change preferences');
    expect(new Set(LANGUAGES.map(wordsIn)).size).toBe(LANGUAGES.length);
  });
});

test.each([
  [
    { addressLine1: 'a', addressLine2: 'b', city: 'c', region: 'd', postalCode: 'e', country: 'f' },
    'a, b, c d e, f',
  ],
  [{ addressLine1: 'a', addressLine2: ' ', country: 'f' }, 'a, f'],
  [{}, ''],
])('addressLine(%j)', (company, line) => {
  expect(addressLine(company)).toBe(line);
});

test.each([
  [
    { html: '<body>x</body>', text: 'x' },
    { html: '<body>x+</body>', text: 'x-' },
  ],
  [
    { html: '<p>x</p>', text: '' },
    { html: '<p>x</p>+', text: '' },
  ],
])('%j with its footer is %j', (message, whole) => {
  const step = withFooter(message, { html: '+', text: '-' }).next();
  expect(step).toEqual({ done: true, value: whole });
});

test('listUnsubscribeHeaders are those of RFC 8058', () => {
  expect(listUnsubscribeHeaders('https://e.test/u')).toEqual([
    ['List-Unsubscribe', '<https://e.test/u>'],
    ['List-Unsubscribe-Post', 'List-Unsubscribe=One-Click'],
  ]);
});
