/**
 * Formats HTML as plain text (`body_text`, section 2.7): most marketing mail consists of layout tables, so rows become
 * lines, cells are separated, and a block in a cell gets separate lines.
 */
import { compile, type FormatCallback, type HtmlToTextOptions } from 'html-to-text';
import { withoutInvisible } from './invisible-characters.js';

type Element = Parameters<FormatCallback>[0];
type Builder = Parameters<FormatCallback>[2];

/** Deeper nesting is hostile or broken; the HTML parser recurses. */
const MAX_TAG_DEPTH = 300;

/** Enclose an address that contains expressions; the mark is before and after each letter. */
export const ADDRESS_EDGES = { start: 'a', end: 'z' } as const;

/** Block elements that the library formats as blocks, and further ones that it does not. */
const KNOWN_BLOCKS =
  'article aside blockquote br div footer form h1 h2 h3 h4 h5 h6 header hr main nav ol p pre section table ul';
const MORE_BLOCKS =
  'address caption center dd details dl dt fieldset figcaption figure legend optgroup option summary tr';
const blocks = new Set(`${KNOWN_BLOCKS} ${MORE_BLOCKS} li td th`.split(' '));

const ONE_BREAK = { leadingLineBreaks: 1, trailingLineBreaks: 1 };

const formatBlock: FormatCallback = (element, walk, builder) => {
  builder.openBlock(ONE_BREAK);
  walk(element.children, builder);
  builder.closeBlock(ONE_BREAK);
};

/** Short cells share the line of their row. */
const formatCell: FormatCallback = (element, walk, builder, options) => {
  if (find(element, ({ name }) => blocks.has(name ?? ''))) {
    formatBlock(element, walk, builder, options);
    return;
  }
  builder.addInline(' ');
  walk(element.children, builder);
};

/** Items in a list are formatted by the list; an item without a list, as a loop may write it, is a line. */
const formatItem: FormatCallback = (element, walk, builder) => {
  if (/^[ou]l$/.test(element.parent?.name ?? '')) {
    walk(element.children, builder);
    return;
  }
  builder.openBlock(ONE_BREAK);
  builder.addInline('* ');
  walk(element.children, builder);
  builder.closeBlock(ONE_BREAK);
};

/** Writes the address in brackets after the text; a link that contains only images uses their `alt` as its text. */
const formatLink: FormatCallback = (element, walk, builder) => {
  let text = '';
  builder.pushWordTransform((word) => {
    text += word;
    return word;
  });
  walk(element.children, builder);
  text = withoutInvisible(text);
  const address = shownAddress(attribute(element, 'href'));
  if (text === '' && address !== '') {
    for (const alt of altsIn(element)) builder.addInline(` ${alt}`);
  }
  builder.popWordTransform();
  if (address === '' || address.startsWith('#') || address === text) return;
  const { metadata: mark } = builder as Builder & { readonly metadata: string };
  const shown = address.includes(mark)
    ? `${mark}${ADDRESS_EDGES.start}${mark}${address}${mark}${ADDRESS_EDGES.end}${mark}`
    : address;
  builder.addInline(text === '' ? shown : ` (${shown})`, { noWordTransform: true });
};

/** A `mailto:` link shows the recipient, without the subject and other fields that it fills in. */
function shownAddress(href: string): string {
  const [, mailto] = /^\s*mailto:([^?#]*)/i.exec(href) ?? [];
  if (mailto === undefined) return href;
  return decodeAddress(mailto)
    .split(',')
    .map((address) => address.trim())
    .filter((address) => address !== '')
    .join(', ');
}

/** Decodes an address; one that is not percent-encoded correctly stays unchanged. */
function decodeAddress(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}

const options: HtmlToTextOptions = {
  wordwrap: false,
  // Excludes U+200B, which is not a space: it is removed with the other invisible characters.
  whitespaceCharacters: ' \t\r\n\f',
  limits: { maxInputLength: Number.MAX_SAFE_INTEGER, maxDepth: MAX_TAG_DEPTH },
  formatters: { row: formatBlock, cell: formatCell, item: formatItem, link: formatLink },
  selectors: [
    { selector: 'a', format: 'link' },
    { selector: 'li', format: 'item' },
    ...MORE_BLOCKS.split(' ').map((selector) => ({ selector, format: 'row' })),
    ...['td', 'th'].map((selector) => ({ selector, format: 'cell' })),
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
    { selector: 'img', format: 'skip' },
  ],
};

/**
 * The text of HTML whose expressions are replaced by words that contain `mark`. Its time grows with the square of
 * unclosed tags.
 */
export const htmlToText: (html: string, mark: string) => string = compile(options);

/**
 * The first element inside `element` that satisfies `matches`; iterative, since a hostile document is deeply nested.
 */
function find(element: Element, matches: (inner: Element) => boolean): Element | undefined {
  const pending = [element.children];
  for (let nodes = pending.pop(); nodes !== undefined; nodes = pending.pop()) {
    for (const node of nodes) {
      if (node.type !== 'tag') continue;
      if (matches(node)) return node;
      pending.push(node.children);
    }
  }
  return undefined;
}

/** The alternative texts of the images in `element`, in their order. */
function altsIn(element: Element): readonly string[] {
  const alts: string[] = [];
  const pending = [...element.children].reverse();
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.type !== 'tag') continue;
    if (node.name === 'img') alts.push(attribute(node, 'alt'));
    for (let index = node.children.length - 1; index >= 0; index--) {
      const child = node.children[index];
      if (child !== undefined) pending.push(child);
    }
  }
  return alts.filter((alt) => alt.trim() !== '');
}

function attribute(element: Element, name: string): string {
  const { [name]: value } = (element.attribs ?? {}) as Readonly<Record<string, string | undefined>>;
  return value ?? '';
}
