/** Rules that compare the plain-text version with the HTML, as filters do (codes SP034 to SP037). */
import type { RuleFinding } from '../findings/finding.js';
import { isElement, subtreeOf } from '../email/parsed-email.js';
import { MAX_READ_LENGTH } from './read-text.js';
import type { SpamInput } from './spam-input.js';

/** The number of different words in the HTML from which a comparison is meaningful. */
const MIN_WORDS = 30;
/** The minimum share of the HTML's words that the plain text has. */
const MIN_HTML_SHARE = 0.3;
/** The minimum share of the plain text's words that are in the HTML. */
const MIN_COMMON_SHARE = 0.4;
/** The minimum number of characters besides a link that make a message. */
const MIN_LENGTH_BESIDE_LINK = 40;

export function textVersionFindings(input: SpamInput): RuleFinding[] {
  return [...comparisonFindings(input), ...markupFindings(input), ...singleLinkFindings(input)];
}

function wordsOf(text: string): ReadonlySet<string> {
  // In the plain text, addresses replace the links of the HTML.
  const withoutLinks = text.slice(0, MAX_READ_LENGTH).replace(/https?:\/\/\S{1,4000}/g, ' ');
  return new Set(withoutLinks.toLowerCase().match(/[\p{L}\p{N}]{3,40}/gu));
}

function comparisonFindings({ htmlText, text }: SpamInput): RuleFinding[] {
  if (text.trim() === '') return [];
  const [html, plain] = [wordsOf(htmlText.text), wordsOf(text)];
  if (html.size < MIN_WORDS) return [];
  const common = [...plain].filter((word) => html.has(word)).length;
  const percent = (share: number): string => `${Math.floor(share * 100)} %`;
  if (plain.size > 0 && common / plain.size < MIN_COMMON_SHARE) {
    const share = percent(common / plain.size);
    return [
      {
        rule: 'plain_text_differs',
        message: `${share} of the words of the plain-text version are in the HTML.`,
        at: null,
      },
    ];
  }
  if (common / html.size >= MIN_HTML_SHARE) return [];
  const share = percent(common / html.size);
  return [
    {
      rule: 'plain_text_short',
      message: `The plain-text version has ${share} of the HTML’s words.`,
      at: null,
    },
  ];
}

function markupFindings({ text }: SpamInput): RuleFinding[] {
  const tag =
    /<\/?(?:p|div|br|td|tr|table|a|span|img|html|body|strong|b|h[1-6])(?:\s[^<>]{0,500})?\/?>/i.exec(
      text.slice(0, MAX_READ_LENGTH),
    );
  if (!tag) return [];
  const message = 'The plain-text version contains HTML tags.';
  return [{ rule: 'plain_text_markup', message, at: null }];
}

function singleLinkFindings({ email, htmlText }: SpamInput): RuleFinding[] {
  const links =
    email?.elements.filter(({ name, attributes }) => name === 'a' && attributes.has('href')) ?? [];
  const [link] = links;
  if (!link || links.length > 1) return [];
  if (email?.elements.some(({ name }) => name === 'img')) return [];
  let inLink = 0;
  for (const node of subtreeOf(link)) if (!isElement(node)) inLink += lengthOf(node.text);
  const beside = lengthOf(htmlText.text) - inLink;
  if (beside >= MIN_LENGTH_BESIDE_LINK) return [];
  const message = `The message consists of a link and ${Math.max(0, beside)} other characters.`;
  return [{ rule: 'link_alone', message, at: link.offset }];
}

function lengthOf(text: string): number {
  return text.replace(/\s+/g, '').length;
}
