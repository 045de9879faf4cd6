/**
 * Puts other addresses in the place of those that a message's links lead to. The message is read by the tokenizer of an
 * HTML parser, so that a link is what mail programs take for one, and everything else stays as it is, byte for byte:
 * what is in comments (Outlook's conditional ones included), styles, scripts, or the text.
 */
import { Tokenizer, TokenizerMode, type Token } from 'parse5';
import { escapeHtml } from '../../../kernel/escape-html.js';

/** Characters that are read in one go: some milliseconds. */
const PIECE = 65_536;
/** Of one message; further ones stay as they are. */
const MOST_LINKS = 1_000;
/** Characters that are added to a message at most. */
const MOST_ADDED = 512 * 1_024;
/** Characters of an address that is taken: with what is added it fits everywhere. */
const LONGEST_TARGET = 2_000;

const LINKS: ReadonlySet<string> = new Set(['a', 'area']);
/** A link with this attribute `off` is left as it is. */
const OPT_OUT = 'data-tracking';

/** How the content of an element is read that holds no markup. */
const RAW: Readonly<Record<string, (typeof TokenizerMode)[keyof typeof TokenizerMode]>> = {
  title: TokenizerMode.RCDATA,
  textarea: TokenizerMode.RCDATA,
  style: TokenizerMode.RAWTEXT,
  xmp: TokenizerMode.RAWTEXT,
  iframe: TokenizerMode.RAWTEXT,
  noembed: TokenizerMode.RAWTEXT,
  noframes: TokenizerMode.RAWTEXT,
  script: TokenizerMode.SCRIPT_DATA,
  plaintext: TokenizerMode.PLAINTEXT,
};

interface FoundLink {
  /** Where the attribute stands, with its name. */
  readonly start: number;
  readonly end: number;
  readonly target: string;
}

/**
 * The message with its links rewritten. A large one is read in pieces, between which its caller may serve others.
 * @param addressOf gives what takes the place of an absolute http or https address; undefined where it is to stay.
 */
export function* withLinks(
  html: string,
  addressOf: (target: string) => string | undefined,
): Generator<void, string> {
  const links = yield* linksIn(html);
  let [written, at, added] = ['', 0, 0];
  for (const { start, end, target } of links) {
    const address = addressOf(target);
    if (address === undefined) continue;
    const attribute = `href="${escapeHtml(address)}"`;
    added += attribute.length - (end - start);
    if (added > MOST_ADDED) break;
    written += html.slice(at, start) + attribute;
    at = end;
  }
  return written + html.slice(at);
}

function* linksIn(html: string): Generator<void, FoundLink[]> {
  const links: FoundLink[] = [];
  const nothing = (): void => undefined;
  const tokenizer: Tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: true },
    {
      onStartTag: (tag) => {
        const raw = Object.hasOwn(RAW, tag.tagName) ? RAW[tag.tagName] : undefined;
        if (raw !== undefined) tokenizer.state = raw;
        if (links.length < MOST_LINKS && LINKS.has(tag.tagName)) links.push(...linkOf(tag));
      },
      onEndTag: nothing,
      onComment: nothing,
      onDoctype: nothing,
      onEof: nothing,
      onCharacter: nothing,
      onNullCharacter: nothing,
      onWhitespaceCharacter: nothing,
    },
  );
  for (let from = 0; from < html.length; from += PIECE) {
    if (from > 0) yield;
    tokenizer.write(html.slice(from, from + PIECE), from + PIECE >= html.length);
  }
  return links;
}

function linkOf({ attrs, location }: Token.TagToken): FoundLink[] {
  const valueOf = (name: string): string | undefined => attrs.find((each) => each.name === name)?.value;
  const place = location?.attrs?.['href'];
  const target = targetOf(valueOf('href') ?? '');
  if (!place || target === undefined || valueOf(OPT_OUT)?.trim().toLowerCase() === 'off') return [];
  return [{ start: place.startOffset, end: place.endOffset, target }];
}

/** Where a link leads, as the URL standard writes it; undefined where that is no page of the web, or too long. */
function targetOf(href: string): string | undefined {
  if (href.length > LONGEST_TARGET || !URL.canParse(href)) return undefined;
  const { protocol, href: target } = new URL(href);
  return (protocol === 'http:' || protocol === 'https:') && target.length <= LONGEST_TARGET
    ? target
    : undefined;
}
