/** Rules about the words of a message: phrases, loudness, greetings and promises (codes SP014 to SP034). */
import { quote, type RuleFinding } from '../findings/finding.js';
import type { RuleName } from '../rules/catalogue.js';
import { phrasesIn } from './phrases.js';
import { firstOf, type SpamInput } from './spam-input.js';

const MAX_EXCLAMATIONS = 5;
/** The number of letters of a text from which its share of capitals is judged. */
const MIN_LETTERS = 100;
const MAX_CAPITALS_SHARE = 0.3;
const MAX_EMOJI = 15;
/** From this amount, a sum of money is unusual. */
const LARGE_SUM = 100_000;

export function wordingFindings(input: SpamInput): RuleFinding[] {
  const { text } = input.htmlText;
  return [
    ...phraseFindings(input),
    ...patternFindings(input),
    ...exclamationFindings(text),
    ...capitalFindings(text),
    ...sumFindings(input),
    ...attachmentFindings(input),
    ...emojiFindings(text),
  ];
}

function phraseFindings({ htmlText }: SpamInput): RuleFinding[] {
  return firstOf(
    phrasesIn(htmlText.text).map(({ rule, phrase, index, length }) => ({
      rule,
      message: `The message says ${quote(phrase)}.`,
      at: htmlText.offsetOf(index),
      until: htmlText.offsetOf(index + length - 1) + 1,
      target: phrase,
    })),
  );
}

/** Patterns, each with the message after which the match is quoted. */
const PATTERNS: readonly (readonly [RuleName, RegExp, string])[] = [
  ['currency_signs', /[$€£¥]{2,}/gu, 'Currency signs are repeated'],
  [
    'word_mixes_scripts',
    /(?:\p{Script=Latin}[\p{Script=Cyrillic}\p{Script=Greek}]|[\p{Script=Cyrillic}\p{Script=Greek}]\p{Script=Latin})\p{L}{0,30}/gu,
    'A word mixes similar-looking scripts',
  ],
  [
    'letters_spaced',
    /(?<![\p{L}\p{N}.])(?:\p{Lu} ){4,30}\p{Lu}(?![\p{L}\p{N}])|(?<![\p{L}\p{N}.])\p{L}(?:([-_*·])\p{L})(?:\1\p{L}){3,30}(?![\p{L}\p{N}])/gu,
    'The letters of a word are spaced out',
  ],
  [
    'letters_replaced',
    /(?<![\p{L}\p{N}])(?:v[1!|][a@4]gr[a@4]|vi[a]gr[@4]|vi[@4]gr[a@4]|c[1!|]al[1!|i]s|ci[@4]lis|fr3[e3]|fre3|m0ney|mon3y|c[a4@]s1n[o0]|cas[i1]n0|c@sh|p0rn|pr0fit|w[1!]nner|cl[1!]ck|l0an|d[i1]sc0unt|0ffer|[a4@]cc0unt|p[@4]ssw[o0]rd|passw0rd|p[@4]ypal|paypa1|g00gle|amaz0n|micr0soft|app1e)(?![\p{L}\p{N}])/giu,
    'A word is spelled with digits or symbols',
  ],
  [
    'greeting_generic',
    /(?<![\p{L}\p{N}])(?:(?:dear|hello|attention)\s(?:friend|customer|valued customer|client|user|account holder|beneficiary|winner|member|sir or madam|sir\s?\/\s?madam|sir|madam)|to whom it may concern|sehr geehrter kunde|lieber freund|cher client|chère cliente|cher ami|estimado cliente|querido amigo|gentile cliente|caro amico|beste klant|geachte klant|prezado cliente)(?=\s{0,9}[,!:.\n])/giu,
    'The greeting is generic',
  ],
  [
    'greeting_address',
    /(?<![\p{L}\p{N}])(?:dear|hello|hi|hey|hallo|liebe|lieber|bonjour|cher|hola|estimado|ciao|gentile|beste|olá)\s{1,9}[\w.+-]{1,64}@[\w-]{1,63}\.[\w.-]{1,190}/giu,
    'The greeting uses an email address',
  ],
];

function patternFindings({ htmlText }: SpamInput): RuleFinding[] {
  return PATTERNS.flatMap(([rule, pattern, statement]) => {
    const seen = new Map<string, RuleFinding>();
    for (const { 0: match, index } of htmlText.text.matchAll(pattern)) {
      if (seen.size >= 50) break;
      const target = match.toLowerCase();
      if (!seen.has(target))
        seen.set(target, {
          rule,
          message: `${statement}: ${quote(match)}.`,
          at: htmlText.offsetOf(index),
          until: htmlText.offsetOf(index + match.length - 1) + 1,
          target,
        });
    }
    return [...seen.values()];
  });
}

function exclamationFindings(text: string): RuleFinding[] {
  const count = text.match(/[!！]/g)?.length ?? 0;
  // One per 400 characters is normal in a cheerful text.
  if (count <= MAX_EXCLAMATIONS || count <= text.length / 400) return [];
  return [{ rule: 'exclamation_many', message: `The message has ${count} exclamation marks.`, at: null }];
}

function capitalFindings(text: string): RuleFinding[] {
  const upper = text.match(/\p{Lu}/gu)?.length ?? 0;
  const letters = upper + (text.match(/\p{Ll}/gu)?.length ?? 0);
  if (letters < MIN_LETTERS || upper / letters <= MAX_CAPITALS_SHARE) return [];
  const share = Math.floor((upper / letters) * 100);
  return [{ rule: 'capitals_many', message: `${share} % of the letters are capitals.`, at: null }];
}

const SUM =
  /(?:[$€£]|(?:USD|EUR|GBP)\s)\s?(\d{1,3}(?:[,.\s]\d{3}){1,5}|\d{4,15})(?!\d)|[$€£]\s?\d{1,4}(?:[.,]\d{1,3})?\s(?:million|billion|Millionen|millions|millones|milioni|miljoen|milhões)/giu;

function sumFindings({ htmlText }: SpamInput): RuleFinding[] {
  for (const { 0: match, 1: digits, index } of htmlText.text.matchAll(SUM)) {
    if (digits !== undefined && Number(digits.replace(/\D/g, '')) < LARGE_SUM) continue;
    return [
      {
        rule: 'money_amounts',
        message: `The message mentions ${quote(match)}.`,
        at: htmlText.offsetOf(index),
        until: htmlText.offsetOf(index + match.length - 1) + 1,
        target: match,
      },
    ];
  }
  return [];
}

const ATTACHMENT =
  /(?<![\p{L}\p{N}])(?:see (?:the )?attached|attached (?:file|document|invoice|pdf)|(?:find|open) (?:the )?attach(?:ed|ment)|im anhang|anbei (?:die|der|das)|ci-joint|en pièce jointe|archivo adjunto|in allegato|in de bijlage|em anexo)(?![\p{L}\p{N}])/iu;

function attachmentFindings({ htmlText }: SpamInput): RuleFinding[] {
  const found = ATTACHMENT.exec(htmlText.text);
  if (!found) return [];
  const [phrase] = found;
  return [
    {
      rule: 'attachment_mentioned',
      message: `The message says ${quote(phrase)} but has no attachment.`,
      at: htmlText.offsetOf(found.index),
      until: htmlText.offsetOf(found.index + phrase.length - 1) + 1,
      target: phrase.toLowerCase(),
    },
  ];
}

function emojiFindings(text: string): RuleFinding[] {
  const count = text.match(/\p{Extended_Pictographic}/gu)?.length ?? 0;
  if (count <= MAX_EMOJI || count < text.length / 200) return [];
  return [{ rule: 'emoji_many', message: `The message has ${count} emoji or similar symbols.`, at: null }];
}
