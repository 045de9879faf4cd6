/**
 * Where something is to stand that people must see at the end of an HTML message: before the last `</body>` that is one, and
 * never in a comment, an attribute, or an element whose content is no text of the page. What is left open at the end (a
 * comment, a tag, a style) would swallow whatever comes behind it, so that comes before it. Read as the HTML standard has
 * tokens, in one pass that looks at no character twice.
 */

/** Characters between two stops, in which others are served. */
const PIECE = 131_072;

/** Elements whose content is not read as markup: text alone, to their own end. */
const RAW: ReadonlySet<string> = new Set([
  ...['style', 'script', 'title', 'textarea', 'xmp', 'iframe', 'noembed', 'noframes'],
]);
/** Elements whose content is not shown as part of the page. */
const ASIDE: ReadonlySet<string> = new Set([
  ...['template', 'select', 'datalist', 'svg', 'math', 'object', 'audio', 'video', 'canvas'],
]);
/** Of RAW those that are so within: a list of choices takes hardly any element, and drawings have styles of another kind. */
const RAW_WITHIN: Readonly<Record<string, ReadonlySet<string>>> = {
  select: new Set(['script', 'textarea']),
  svg: new Set(),
  math: new Set(),
};
/** What ends a list of choices without being its end. */
const ENDS_SELECT: ReadonlySet<string> = new Set(['select', 'input', 'textarea', 'keygen']);

const TAG_NAME = /[a-z][^\t\n\f\r />]*/iy;
const SPACE = /[\t\n\f\r ]/;

/** The offset in the document. Stops now and then. */
export function* endOfBody(document: string): Generator<void, number> {
  let closing: number | undefined;
  let aside: { readonly name: string; readonly open: number } | undefined;
  let stop = PIECE;
  for (let at = 0; ;) {
    if (at > stop) {
      yield;
      stop = at + PIECE;
    }
    const open = document.indexOf('<', at);
    if (open === -1) return closing ?? aside?.open ?? document.length;
    const isEnd = document[open + 1] === '/';
    const name = nameAt(document, open + (isEnd ? 2 : 1));
    const end =
      name === undefined
        ? behindOther(document, open, isEnd)
        : behindTag(document, open, { name, isEnd, isRaw: rawWithin(aside?.name).has(name) });
    if (end === -1) return closing ?? aside?.open ?? open;
    at = end;
    if (name === undefined) continue;
    if (aside && (isEnd ? name === aside.name : aside.name === 'select' && ENDS_SELECT.has(name)))
      aside = undefined;
    else if (!aside && !isEnd && ASIDE.has(name)) aside = { name, open };
    else if (!aside && isEnd && name === 'body') closing = open;
  }
}

function rawWithin(aside: string | undefined): ReadonlySet<string> {
  return (aside === undefined ? undefined : RAW_WITHIN[aside]) ?? RAW;
}

function nameAt(document: string, at: number): string | undefined {
  TAG_NAME.lastIndex = at;
  return TAG_NAME.exec(document)?.[0].toLowerCase();
}

/** Behind a comment, a declaration, or a `<` that is text; -1 where it is left open. */
function behindOther(document: string, open: number, isEnd: boolean): number {
  if (document.startsWith('<!--', open)) {
    // `<!-->` is a whole one.
    const ends = [document.indexOf('-->', open + 2) + 3, document.indexOf('--!>', open + 4) + 4];
    const [first] = ends.filter((end) => end > 4).sort((a, b) => a - b);
    return first ?? -1;
  }
  const next = document[open + 1];
  const isDeclaration = next === '!' || next === '?' || isEnd;
  return isDeclaration ? document.indexOf('>', open) + 1 || -1 : open + 1;
}

/** Behind a tag, and the content of an element that is text alone; -1 where one of them is left open. */
function behindTag(
  document: string,
  open: number,
  { name, isEnd, isRaw }: { readonly name: string; readonly isEnd: boolean; readonly isRaw: boolean },
): number {
  const end = tagEnd(document, open + (isEnd ? 2 : 1) + name.length);
  if (end === -1 || isEnd || !isRaw) return end;
  const closing = new RegExp(`</${name}(?=[\\t\\n\\f\\r />])`, 'gi');
  closing.lastIndex = end;
  const behind = closing.exec(document)?.index ?? -1;
  // Scripts with comments have ends of their own: rare in mail, and not worth their rules.
  return name === 'script' && document.slice(end, behind).includes('<!--') ? -1 : behind;
}

/** Behind the `>` of a tag; quotes hold only what is the value of an attribute. */
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
