import { languageFor, languageOf } from './language.js';

test.each([
  ['de', 'de'],
  ['de-AT', 'de'],
  ['pt_BR', 'pt'],
  [' FR ', 'fr'],
  ['ja', undefined],
  ['deutsch', undefined],
  ['', undefined],
  [null, undefined],
])('the language of the locale %j is %j', (locale, language) => expect(languageOf(locale)).toBe(language));

test.each<[string | null, string | undefined, string]>([
  ['de-DE', 'fr', 'de'],
  ['ja-JP', 'fr', 'fr'],
  [null, 'fr-CH, fr;q=0.9, en;q=0.8, de;q=0.7, *;q=0.5', 'fr'],
  [null, 'ja, en;q=0.2, nl;q=0.7', 'nl'],
  [null, 'it;q=0, es;q=0.1', 'es'],
  [null, 'de;q=x', 'en'],
  [null, 'nl;level=1;Q=0.3, de;q=0.2', 'nl'],
  [null, 'ja', 'en'],
  [null, undefined, 'en'],
  [null, `${'x,'.repeat(10_000)}de`, 'en'],
])('a person with the locale %j whose browser likes %j reads %s', (locale, accepted, language) =>
  expect(languageFor(locale, accepted)).toBe(language),
);
