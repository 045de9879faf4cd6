/**
 * Finds where to insert content that must be visible at the end of an HTML message: before the last real `</body>`, and
 * never in a comment, an attribute, or an element whose content is not text of the page. Anything left open at the end
 * (a comment, a tag, a style) would swallow what follows it, so the position is before that. Follows the tokens of the
 * HTML standard, in one pass that reads no character twice.
 */

/** Characters between two yields, so that other work can run. */
const CHUNK_CHARS = 131_072;

/** Elements whose content is not parsed as markup: it is text up to their own end tag. */
const RAW_TEXT_ELEMENTS: ReadonlySet<string> = new Set([
  ...['style', 'script', 'title', 'textarea', 'xmp', 'iframe', 'noembed', 'noframes'],
]);
/** Elements whose content is not shown as part of the page. */
const HIDDEN_ELEMENTS: ReadonlySet<string> = new Set([
  ...['template', 'select', 'datalist', 'svg', 'math', 'object', 'audio', 'video', 'canvas'],
]);
/**
 * Elements of RAW that are raw inside these parents: `select` accepts hardly any element, and `style` is different in
 * SVG.
 */
const RAW_TEXT_WITHIN: Readonly<Record<string, ReadonlySet<string>>> = {
  select: new Set(['script', 'textarea']),
  svg: new Set(),
  math: new Set(),
};
/** Tags that end an open `select` even though they are not its end tag. */
const ENDS_SELECT: ReadonlySet<string> = new Set(['select', 'input', 'textarea', 'keygen']);

const TAG_NAME = /[a-z][^\t\n\f\r />]*/iy;
const SPACE = /[\t\n\f\r ]/;

/** Returns the offset in the document. Yields now and then. */
export function* endOfBody(document: string): Generator<void, number> {
  let closing: number | undefined;
  let hidden: { readonly name: string; readonly open: number } | undefined;
  let stop = CHUNK_CHARS;
  for (let at = 0; ;) {
    if (at > stop) {
      yield;
      stop = at + CHUNK_CHARS;
    }
    const open = document.indexOf('<', at);
    if (open === -1) return closing ?? hidden?.open ?? document.length;
    const isEnd = document[open + 1] === '/';
    const name = nameAt(document, open + (isEnd ? 2 : 1));
    const end =
      name === undefined
        ? endOfOther(document, open, isEnd)
        : endOfTag(document, open, { name, isEnd, isRaw: rawWithin(hidden?.name).has(name) });
    if (end === -1) return closing ?? hidden?.open ?? open;
    at = end;
    if (name === undefined) continue;
    if (hidden && (isEnd ? name === hidden.name : hidden.name === 'select' && ENDS_SELECT.has(name)))
      hidden = undefined;
    else if (!hidden && !isEnd && HIDDEN_ELEMENTS.has(name)) hidden = { name, open };
    else if (!hidden && isEnd && name === 'body') closing = open;
  }
}

function rawWithin(hidden: string | undefined): ReadonlySet<string> {
  return (hidden === undefined ? undefined : RAW_TEXT_WITHIN[hidden]) ?? RAW_TEXT_ELEMENTS;
}

function nameAt(document: string, at: number): string | undefined {
  TAG_NAME.lastIndex = at;
  return TAG_NAME.exec(document)?.[0].toLowerCase();
}

/** The offset after a comment, a declaration, or a `<` that is text; -1 if it is left open. */
function endOfOther(document: string, open: number, isEnd: boolean): number {
  if (document.startsWith('<!--', open)) {
    // `<!-->` is a complete comment.
    const ends = [document.indexOf('-->', open + 2) + 3, document.indexOf('--!>', open + 4) + 4];
    const [first] = ends.filter((end) => end > 4).sort((a, b) => a - b);
    return first ?? -1;
  }
  const next = document[open + 1];
  const isDeclaration = next === '!' || next === '?' || isEnd;
  return isDeclaration ? document.indexOf('>', open) + 1 || -1 : open + 1;
}

/** The offset after a tag, and after the content of an element that is text only; -1 if one of them is left open. */
function endOfTag(
  document: string,
  open: number,
  { name, isEnd, isRaw }: { readonly name: string; readonly isEnd: boolean; readonly isRaw: boolean },
): number {
  const end = tagEnd(document, open + (isEnd ? 2 : 1) + name.length);
  if (end === -1 || isEnd || !isRaw) return end;
  const closing = new RegExp(`</${name}(?=[\\t\\n\\f\\r />])`, 'gi');
  closing.lastIndex = end;
  const contentEnd = closing.exec(document)?.index ?? -1;
  // Scripts with comments have their own rules for the end. They are too rare in mail to implement.
  return name === 'script' && document.slice(end, contentEnd).includes('<!--') ? -1 : contentEnd;
}

/** The offset after the `>` of a tag. Only quotes around attribute values count as quotes. */
function tagEnd(document: string, from: number): number {
  let hasName = false;
  for (let at = from; at < document.length; at++) {
    const character = document[at] ?? '';
    if (character === '>') return at + 1;
    if (character === '/') hasName = false;
    else if (character === '=' && hasName) {
      hasName = false;
      do at++;
      while (SPACE.test(document[at] ?? ''));
      const quote = document[at];
      if (quote === '"' || quote === "'") {
        at = document.indexOf(quote, at + 1);
        if (at === -1) return -1;
      } else {
        while (at < document.length && document[at] !== '>' && !SPACE.test(document[at] ?? '')) at++;
        at--;
      }
    } else if (!SPACE.test(character)) hasName = true;
  }
  return -1;
}
