/** What a real HTML parser and the URL standard's parser find in a rendered document. */
import { type DefaultTreeAdapterTypes, parse } from 'parse5';

export interface HtmlShape {
  /** The elements with the names of their attributes, and the comments. */
  readonly elements: string[];
  /** Values of attributes that hold links. */
  readonly addresses: string[];
  /** What a browser would run: event handlers, scripts, and script URLs, including those in `srcdoc`. */
  readonly code: string[];
  /** Contents of style attributes and style elements. */
  readonly styles: { readonly context: 'declarationList' | 'stylesheet'; readonly css: string }[];
}

const LINKS = new Set(['href', 'src', 'formaction', 'action', 'data', 'poster', 'values', 'to']);

/** Parses a document as a browser does, with scripts enabled or not. */
export function shapeOf(html: string, scriptingEnabled = true): HtmlShape {
  const shape: HtmlShape = { elements: [], addresses: [], code: [], styles: [] };
  visit(parse(html, { scriptingEnabled }), shape);
  return shape;
}

function visit(node: DefaultTreeAdapterTypes.Node, shape: HtmlShape): void {
  if ('tagName' in node) visitElement(node, shape);
  else if (node.nodeName === '#comment') shape.elements.push('comment');
  if ('childNodes' in node) for (const child of node.childNodes) visit(child, shape);
}

function visitElement(element: DefaultTreeAdapterTypes.Element, shape: HtmlShape): void {
  const { tagName, attrs } = element;
  shape.elements.push(`${tagName} ${attrs.map(({ name }) => name).join(' ')}`);
  for (const { name, value } of attrs) {
    if (LINKS.has(name)) shape.addresses.push(value);
    if (LINKS.has(name) && isScript(value)) shape.code.push(codeIn(value));
    if (name.startsWith('on')) shape.code.push(value);
    if (name === 'style') shape.styles.push({ context: 'declarationList', css: value });
    if (name === 'srcdoc') visit(parse(value), shape);
  }
  if (tagName === 'script') shape.code.push(textIn(element));
  if (tagName === 'style') shape.styles.push({ context: 'stylesheet', css: textIn(element) });
}

function textIn({ childNodes }: DefaultTreeAdapterTypes.Element): string {
  return childNodes.map((child) => ('value' in child ? child.value : '')).join('');
}

/** Whether a browser would run the URL. */
export function isScript(address: string): boolean {
  if (!URL.canParse(address, 'https://base.example/')) return false;
  const { protocol, pathname } = new URL(address, 'https://base.example/');
  if (protocol === 'data:') return !/^image\/(?:png|gif|jpe?g|webp)[;,]/i.test(pathname);
  return protocol === 'javascript:' || protocol === 'vbscript:';
}

/** The code that a script URL runs. */
function codeIn(address: string): string {
  const code = address.slice(address.indexOf(':') + 1);
  try {
    return decodeURIComponent(code);
  } catch {
    return code;
  }
}
