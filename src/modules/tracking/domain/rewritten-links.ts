/**
 * Replaces the targets of a message's links. The message is read with an HTML parser's tokenizer, so exactly what
 * mail clients treat as links is replaced. Everything else stays the same, byte for byte: comments (Outlook's
 * conditional ones included), styles, scripts, and text.
 */
import { Tokenizer, TokenizerMode, type Token } from 'parse5';
import { escapeHtml } from '../../../kernel/escape-html.js';

/** Characters that are read without yielding: a few milliseconds. */
const CHUNK_CHARS = 65_536;
/** Per message; further links are not rewritten. */
const MAX_LINKS = 1_000;
/** Maximum number of characters added to a message. */
const MAX_ADDED_CHARS = 512 * 1_024;
/** Longest target that is rewritten: with the additions it fits everywhere. */
const MAX_TARGET_CHARS = 2_000;

const LINK_TAGS: ReadonlySet<string> = new Set(['a', 'area']);
/** A link with this attribute set to `off` is not rewritten. */
const TRACKING_ATTRIBUTE = 'data-tracking';

/** The tokenizer mode for elements whose content is not markup. */
const RAW_TEXT_MODES: Readonly<Record<string, (typeof TokenizerMode)[keyof typeof TokenizerMode]>> = {
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
  /** Start of the attribute, including its name. */
  readonly start: number;
  readonly end: number;
  readonly target: string;
}

/**
 * The message with its links rewritten. A large one is read in pieces, between which the caller can do other work.
 * @param addressOf returns the replacement of an absolute http or https URL; undefined to keep it.
 */
export function* rewriteLinks(
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
    if (added > MAX_ADDED_CHARS) break;
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
        const raw = Object.hasOwn(RAW_TEXT_MODES, tag.tagName) ? RAW_TEXT_MODES[tag.tagName] : undefined;
        if (raw !== undefined) tokenizer.state = raw;
        if (links.length < MAX_LINKS && LINK_TAGS.has(tag.tagName)) links.push(...linkOf(tag));
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
  for (let from = 0; from < html.length; from += CHUNK_CHARS) {
    if (from > 0) yield;
    tokenizer.write(html.slice(from, from + CHUNK_CHARS), from + CHUNK_CHARS >= html.length);
  }
  return links;
}

function linkOf({ attrs, location }: Token.TagToken): FoundLink[] {
  const valueOf = (name: string): string | undefined => attrs.find((each) => each.name === name)?.value;
  const position = location?.attrs?.['href'];
  const target = targetOf(valueOf('href') ?? '');
  if (!position || target === undefined || valueOf(TRACKING_ATTRIBUTE)?.trim().toLowerCase() === 'off')
    return [];
  return [{ start: position.startOffset, end: position.endOffset, target }];
}

/** The target of a link, as the URL standard serializes it; undefined if it is not a web page, or too long. */
function targetOf(href: string): string | undefined {
  if (href.length > MAX_TARGET_CHARS || !URL.canParse(href)) return undefined;
  const { protocol, href: target } = new URL(href);
  return (protocol === 'http:' || protocol === 'https:') && target.length <= MAX_TARGET_CHARS
    ? target
    : undefined;
}
