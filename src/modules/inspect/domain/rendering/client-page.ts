/**
 * Converts a message into the page that an email client shows (section 4.7: rendering in the configured clients). It
 * removes elements, attributes and styles that the client does not support, and applies the client's rewriting. What no
 * client shows (scripts, frames, navigation) is removed for all. Every element carries its offset in the rendered HTML,
 * so that measurements can be traced back.
 *
 * Bounds: a message of more than MAX_ELEMENTS elements gets no page.
 */
import {
  defaultTreeAdapter,
  html as names,
  parse,
  serialize,
  type DefaultTreeAdapterTypes as Tree,
} from 'parse5';
import { CssReader, type CssDeclaration } from '../email/css-reader.js';
import { featureOfAttribute, featureOfTag } from '../support/html-features.js';
import type { RenderClient } from './render-client.js';
import { BODY_CLASS, isApplied, readSheet, appliedSheet, written, type ParsedSheet } from './client-style.js';
import { CLIENTS, type Client } from './clients.js';
import { withConditionals } from './conditional-comments.js';
import { MAX_DROPPED, type Dropped } from './dropped.js';
import { boundedTreeAdapter, textOfNode, TooManyElements, unwrap } from './page-tree.js';

/** The attribute with which an element carries its offset in the rendered HTML. */
export const OFFSET_ATTRIBUTE = 'data-wp';

export interface ClientPage {
  readonly html: string;
  readonly dropped: readonly Dropped[];
}

/** Elements that no client shows or applies, and elements that would navigate elsewhere. */
const REMOVED_ELEMENTS = new Set(
  'script noscript iframe frame frameset embed applet base portal fencedframe template'.split(' '),
);
/** Elements whose content is lost with them if a client does not support them. */
const REMOVED_WITH_CONTENT = new Set('svg math select textarea object title datalist'.split(' '));
/** Maximum number of characters of a text and of a value that are reported. */
const MAX_TEXT_LENGTH = 80;
const MAX_VALUE_LENGTH = 200;

/** Caches parsed style attributes and sheets for all clients. */
export class StyleCache {
  private readonly reader = new CssReader();
  private readonly sheets = new Map<string, ParsedSheet | null>();

  attribute(css: string): readonly CssDeclaration[] {
    return this.reader.readAttribute(css, 0);
  }

  sheet(css: string): ParsedSheet | null {
    let sheet = this.sheets.get(css);
    if (sheet === undefined) this.sheets.set(css, (sheet = readSheet(css)));
    return sheet;
  }
}

/** The message as the client shows it; null if it has more elements than the limit. */
export function renderClientPage(
  html: string,
  client: RenderClient,
  styles = new StyleCache(),
): ClientPage | null {
  const traits = CLIENTS[client];
  try {
    return new PageWriter(traits, styles).write(traits.conditionals ? withConditionals(html) : html);
  } catch (error) {
    if (error instanceof TooManyElements) return null;
    throw error;
  }
}

interface AppliedStyle {
  /** The rest of the attribute. */
  readonly remaining: string;
  readonly dropped: readonly CssDeclaration[];
}

class PageWriter {
  private readonly dropped: Dropped[] = [];
  private readonly inlines = new Map<string, AppliedStyle>();
  private remainingStyleLength: number;

  constructor(
    private readonly client: Client,
    private readonly styles: StyleCache,
  ) {
    this.remainingStyleLength = client.maxStyleLength ?? Infinity;
  }

  write(html: string): ClientPage {
    const document = parse(html, { sourceCodeLocationInfo: true, treeAdapter: boundedTreeAdapter() });
    const waiting: Tree.ChildNode[] = [...document.childNodes].reverse();
    let lastOffset = 0;
    for (let node = waiting.pop(); node; node = waiting.pop()) {
      if (node.nodeName === '#comment') defaultTreeAdapter.detachNode(node);
      if (!('tagName' in node)) continue;
      lastOffset = node.sourceCodeLocation?.startOffset ?? lastOffset;
      const children = this.element(node, lastOffset);
      for (let index = children.length - 1; index >= 0; index--) {
        const child = children[index];
        if (child) waiting.push(child);
      }
    }
    return { html: this.page(document), dropped: this.dropped };
  }

  /** @returns the child nodes still to be processed. */
  private element(node: Tree.Element, at: number): readonly Tree.ChildNode[] {
    const name = node.tagName;
    if (REMOVED_ELEMENTS.has(name) || (name === 'meta' && hasAttribute(node, 'http-equiv'))) {
      // Their content is not text of the message.
      this.drop('element', name, '', at, node, false);
      defaultTreeAdapter.detachNode(node);
      return [];
    }
    if (name === 'style') {
      this.style(node, at);
      return [];
    }
    const attributes = new Map(node.attrs.map(({ name: key, value }) => [key.toLowerCase(), value]));
    const tag = featureOfTag({ name, attributes });
    const isUnsupported = this.client.unsupported.has(tag) || this.isRemote(node);
    if (isUnsupported && name !== 'html' && name !== 'head' && name !== 'body') {
      const isContentLost = REMOVED_WITH_CONTENT.has(name) && name !== 'title';
      this.drop('element', name, '', at, node, isContentLost);
      if (REMOVED_WITH_CONTENT.has(name)) {
        defaultTreeAdapter.detachNode(node);
        return [];
      }
      return unwrap(node);
    }
    this.attributes(node, at);
    return 'content' in node ? [] : node.childNodes;
  }

  /** Style sheets from other hosts, which no page here loads. */
  private isRemote(node: Tree.Element): boolean {
    return node.tagName === 'link';
  }

  private attributes(node: Tree.Element, at: number): void {
    const { prefix } = this.client;
    const supported = node.attrs.filter(({ name, value }) => {
      const key = name.toLowerCase();
      if (key.startsWith('on') || key === OFFSET_ATTRIBUTE) return false;
      if (/^(href|action|formaction|xlink:href)$/.test(key) && /^\s*(javascript|vbscript):/i.test(value))
        return false;
      const feature = featureOfAttribute(key);
      const isUnsupportedBackground =
        key === 'background' && this.client.conditionals && node.tagName !== 'body';
      if ((feature === undefined || !this.client.unsupported.has(feature)) && !isUnsupportedBackground)
        return true;
      this.drop('attribute', key, value.slice(0, MAX_TEXT_LENGTH), at, node, false);
      return false;
    });
    for (const attribute of supported) {
      if (attribute.name === 'style') attribute.value = this.inline(attribute.value, node, at);
      else if (attribute.name === 'class' && prefix !== '')
        attribute.value = attribute.value.replace(/\S+/g, (name) => prefix + name);
      else if (attribute.name === 'id' && prefix !== '') attribute.value = prefix + attribute.value;
    }
    node.attrs = [...supported, { name: OFFSET_ATTRIBUTE, value: String(at) }];
  }

  private inline(css: string, node: Tree.Element, at: number): string {
    const { remaining, dropped } = this.appliedStyle(css, node.tagName);
    for (const { property, text } of dropped)
      this.drop('declaration', property, text.slice(0, MAX_VALUE_LENGTH), at, node, false, remaining);
    return remaining;
  }

  /** The declarations of a style attribute that the client applies; tables repeat theirs in every cell. */
  private appliedStyle(css: string, element: string): AppliedStyle {
    const key = `${element} ${css}`;
    const known = this.inlines.get(key);
    if (known) return known;
    const declarations = this.styles.attribute(css);
    const applied = new Set(declarations.filter((each) => isApplied(this.client, each, element)));
    const style = {
      remaining: [...applied].map(written).join(';'),
      dropped: declarations.filter((each) => !applied.has(each)),
    };
    this.inlines.set(key, style);
    return style;
  }

  private style(node: Tree.Element, at: number): void {
    const css = textOfNode(node, Infinity).replace(/^\s*<!--|-->\s*$/g, '');
    const inBody = isWithin(node, 'body');
    const sheet = this.styles.sheet(css);
    this.remainingStyleLength -= css.length;
    const why =
      inBody && !this.client.bodyStyle
        ? 'it is in the body'
        : this.remainingStyleLength < 0
          ? 'there is too much CSS'
          : sheet === null
            ? 'it cannot be read'
            : this.client.strictStyle && (sheet.hasErrors || /\brgba?\(\s*[\d.%]+\s+[\d.%]/i.test(css))
              ? 'it has an error'
              : null;
    if (why !== null || sheet === null) {
      if (css.trim() !== '') this.drop('sheet', 'style', why ?? '', at, node, false);
      defaultTreeAdapter.detachNode(node);
      return;
    }
    const text = appliedSheet(sheet, this.client, (kind, name, value) => {
      this.drop(kind, name, value, at, node, false);
    });
    node.attrs = [];
    node.childNodes = [];
    defaultTreeAdapter.insertText(node, text);
  }

  private page(document: Tree.Document): string {
    const { embedded, ownStyle } = this.client;
    const root = childNamed(document, 'html');
    const head = root && childNamed(root, 'head');
    const body = root && childNamed(root, 'body');
    if (head && ownStyle !== '') {
      const style = defaultTreeAdapter.createElement('style', names.NS.HTML, []);
      defaultTreeAdapter.insertText(style, ownStyle);
      defaultTreeAdapter.appendChild(head, style);
    }
    if (!embedded || !head || !body) return serialize(document);
    // A style in the body that the client applies is already in place; the wrappers are removed.
    const named = body.attrs.find(({ name }) => name === 'class');
    if (named) named.value = `${BODY_CLASS} ${named.value}`;
    else body.attrs.push({ name: 'class', value: BODY_CLASS });
    const attributes = body.attrs
      .map(({ name, value }) => [name, value] as const)
      .flatMap(([name, value]) =>
        name === 'bgcolor' || name === 'text'
          ? [['style', `${name === 'text' ? 'color' : 'background-color'}:${value}`] as const]
          : [[name, value] as const],
      );
    const division = defaultTreeAdapter.createElement('div', names.NS.HTML, mergedAttributes(attributes));
    for (const child of [...body.childNodes]) {
      defaultTreeAdapter.detachNode(child);
      defaultTreeAdapter.appendChild(division, child);
    }
    body.attrs = [];
    defaultTreeAdapter.appendChild(body, division);
    root.attrs = [];
    return `<!DOCTYPE html>${serialize({ ...document, childNodes: [root] })}`;
  }

  private drop(
    kind: Dropped['kind'],
    name: string,
    value: string,
    at: number,
    node: Tree.Element,
    lost: boolean,
    remainingStyle = '',
  ): void {
    if (this.dropped.length >= MAX_DROPPED) return;
    const text =
      node.tagName === 'style' || REMOVED_ELEMENTS.has(node.tagName) ? '' : textOfNode(node, MAX_TEXT_LENGTH);
    this.dropped.push({ kind, name, value, at, element: node.tagName, text, lost, remainingStyle });
  }
}

/** The attributes, with all styles merged into one. */
function mergedAttributes(
  attributes: readonly (readonly [string, string])[],
): { name: string; value: string }[] {
  const all = new Map<string, string>();
  for (const [name, value] of attributes) {
    const other = all.get(name);
    all.set(name, other === undefined ? value : name === 'style' ? `${other};${value}` : other);
  }
  return [...all].map(([name, value]) => ({ name, value }));
}

function hasAttribute(node: Tree.Element, attribute: string): boolean {
  return node.attrs.some(({ name }) => name === attribute);
}

function isWithin(node: Tree.Element, name: string): boolean {
  for (let parent = node.parentNode; parent && 'tagName' in parent; parent = parent.parentNode)
    if (parent.tagName === name) return true;
  return false;
}

function childNamed(node: Tree.ParentNode, name: string): Tree.Element | undefined {
  return node.childNodes.find((child): child is Tree.Element => child.nodeName === name);
}
