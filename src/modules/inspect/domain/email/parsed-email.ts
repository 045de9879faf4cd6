/**
 * A template's body as the rules read it: parsed once by an HTML parser and a CSS parser, with its expressions blanked,
 * and flattened, so that no rule recurses into a deep tree. Offsets refer to the author's source.
 */
import { defaultTreeAdapter, parse, type DefaultTreeAdapterTypes as Tree, type ParserError } from 'parse5';
import type { TemplateNode } from '../../../../language/language.js';
import type { RuleName } from '../rules/catalogue.js';
import { blankExpressions } from './blanked-source.js';
import { CssReader, type CssAtRule, type CssDeclaration, type CssRule } from './css-reader.js';
import { MAX_FINDINGS } from '../findings/bounded-findings.js';
import type { RuleFinding } from '../findings/finding.js';
import { checkTagBalance } from './tag-balance.js';

interface AttributeRange {
  readonly startOffset: number;
  readonly endOffset: number;
}

/** An element; `parent` is null only for the root. Elements that the parser adds have the offset of what follows. */
export interface EmailElement {
  readonly name: string;
  /** By names in lower case; values may contain the marks of blanked expressions. */
  readonly attributes: ReadonlyMap<string, string>;
  /** Whether the author wrote it; parsers add `html`, `head`, `body` and `tbody`. */
  readonly isWritten: boolean;
  readonly offset: number;
  /** The offset after its opening tag; the same as `offset` for elements that the parser adds. */
  readonly end: number;
  readonly parent: EmailElement | null;
  readonly children: (EmailElement | EmailText)[];
  /** The positions of its attributes, if the author wrote it; use `attributeOffset`. */
  readonly attributeRanges: Readonly<Record<string, AttributeRange>>;
}

export interface EmailText {
  readonly text: string;
  readonly offset: number;
  readonly parent: EmailElement;
}

/** A comment. Of conditional comments, only those that hide their content from all clients except Outlook. */
export interface EmailComment {
  /** The text between `<!--` and `-->`. */
  readonly text: string;
  readonly offset: number;
  readonly end: number;
}

/** A <style> element's own text. */
export interface EmailStyle {
  readonly element: EmailElement;
  readonly offset: number;
  readonly length: number;
}

export interface ParsedEmail {
  readonly source: string;
  /** The template's tree, which contains the expressions. */
  readonly nodes: readonly TemplateNode[];
  /** The source with its expressions blanked: the input of the parsers. */
  readonly html: string;
  /** In the order of the source. */
  readonly elements: readonly EmailElement[];
  /** Texts that readers see or a screen reader reads; not those of scripts, styles and titles. */
  readonly texts: readonly EmailText[];
  readonly comments: readonly EmailComment[];
  readonly styles: readonly EmailStyle[];
  readonly hasDoctype: boolean;
  /** Rules of all <style> elements, in the order of the source. */
  readonly rules: readonly CssRule[];
  readonly atRules: readonly CssAtRule[];
  /** Declarations of style attributes. */
  readonly inline: ReadonlyMap<EmailElement, readonly CssDeclaration[]>;
  /** Length of all <style> elements together. */
  readonly styleLength: number;
}

export interface EmailReading {
  /** Null if the structure exceeds the limits. */
  readonly email: ParsedEmail | null;
  /** The findings of the parsers. */
  readonly findings: readonly RuleFinding[];
}

/**
 * Maximum number of elements of a document. A parser repeats misnested elements in every paragraph that follows,
 * without limit.
 */
const MAX_ELEMENTS = 30_000;
const TOO_MANY_ELEMENTS =
  `With the elements that browsers add to repair misnested tags, there are more than ${MAX_ELEMENTS} ` +
  'elements.';

class TooManyElements extends Error {}

/** Null if there are more elements than the limit. */
function parseBounded(html: string, onParseError: (error: ParserError) => void): Tree.Document | null {
  let remaining = MAX_ELEMENTS;
  const treeAdapter: typeof defaultTreeAdapter = {
    ...defaultTreeAdapter,
    createElement: (name, namespace, attributes) => {
      if (remaining-- <= 0) throw new TooManyElements();
      return defaultTreeAdapter.createElement(name, namespace, attributes);
    },
  };
  try {
    return parse(html, { sourceCodeLocationInfo: true, onParseError, treeAdapter });
  } catch (error) {
    if (error instanceof TooManyElements) return null;
    throw error;
  }
}

function tooComplex(message: string): RuleFinding {
  return { rule: 'too_complex', message, at: null };
}

const UNREAD_ELEMENTS = new Set(['script', 'style', 'title', 'template', 'noscript']);

/**
 * Reads a body.
 * @param nodes its tree, which contains the expressions.
 */
export function readEmail(source: string, nodes: readonly TemplateNode[]): EmailReading {
  const html = blankExpressions(source, nodes);
  // Tags must balance in each possible message, not across all branches of conditions together.
  const variants = new Set(
    (['first', 'last'] as const).map((branches) => blankExpressions(source, nodes, branches)),
  );
  const balances = [...variants].map(checkTagBalance);
  const balance = distinct(balances.flatMap(({ findings }) => findings));
  const excess = variants.has(html) ? balances[0]?.excess : checkTagBalance(html).excess;
  if (typeof excess === 'string') {
    return { email: null, findings: [...balance, tooComplex(excess)] };
  }
  const errors: RuleFinding[] = [];
  const document = parseBounded(html, (error) => {
    if (errors.length < MAX_FINDINGS) errors.push(...markupFinding(error));
  });
  if (!document) return { email: null, findings: [...balance, tooComplex(TOO_MANY_ELEMENTS)] };
  const flattener = new TreeFlattener(html);
  flattener.run(document);
  const email: ParsedEmail = {
    source,
    nodes,
    html,
    elements: flattener.elements,
    texts: flattener.texts,
    comments: flattener.comments,
    styles: flattener.styles,
    hasDoctype: document.childNodes.some(({ nodeName }) => nodeName === '#documentType'),
    rules: flattener.css.rules,
    atRules: flattener.css.atRules,
    inline: flattener.inline,
    styleLength: flattener.styleLength,
  };
  return { email, findings: [...balance, ...errors, ...flattener.css.findings] };
}

function distinct(findings: readonly RuleFinding[]): RuleFinding[] {
  const offsetOf = ({ at }: RuleFinding): number => (typeof at === 'number' ? at : 0);
  const seen = new Map(findings.map((finding) => [`${offsetOf(finding)} ${finding.message}`, finding]));
  return [...seen.values()].sort((a, b) => offsetOf(a) - offsetOf(b));
}

/** Flattens the parser's tree, without recursion. */
class TreeFlattener {
  readonly elements: EmailElement[] = [];
  readonly texts: EmailText[] = [];
  readonly comments: EmailComment[] = [];
  readonly styles: EmailStyle[] = [];
  readonly inline = new Map<EmailElement, readonly CssDeclaration[]>();
  readonly css = new CssReader();
  styleLength = 0;
  private lastOffset = 0;

  constructor(private readonly html: string) {}

  run(document: Tree.Document): void {
    const waiting: { node: Tree.ChildNode; parent: EmailElement | null }[] = [];
    const enter = (children: readonly Tree.ChildNode[], parent: EmailElement | null): void => {
      for (let index = children.length - 1; index >= 0; index--) {
        const node = children[index];
        if (node) waiting.push({ node, parent });
      }
    };
    enter(document.childNodes, null);
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const { node, parent } = next;
      if ('tagName' in node) enter(node.childNodes, this.addElement(node, parent));
      else if ('value' in node && parent) this.addText(node, parent);
      else if ('data' in node) this.addComment(node);
    }
  }

  private addElement(node: Tree.Element, parent: EmailElement | null): EmailElement {
    const location = node.sourceCodeLocation;
    this.lastOffset = location?.startOffset ?? this.lastOffset;
    const element: EmailElement = {
      name: node.tagName,
      attributes: new Map(node.attrs.map(({ name, value }) => [name.toLowerCase(), value])),
      isWritten: Boolean(location?.startTag ?? location),
      offset: this.lastOffset,
      end: location?.startTag?.endOffset ?? location?.endOffset ?? this.lastOffset,
      parent,
      children: [],
      attributeRanges: location?.attrs ?? {},
    };
    this.elements.push(element);
    parent?.children.push(element);
    const style = element.attributes.get('style');
    if (style !== undefined) {
      this.inline.set(element, this.css.readAttribute(style, attributeOffset(element, 'style')));
    }
    return element;
  }

  private addComment({ data, sourceCodeLocation: location }: Tree.CommentNode): void {
    if (location) this.comments.push({ text: data, offset: location.startOffset, end: location.endOffset });
  }

  private addText(node: Tree.TextNode, parent: EmailElement): void {
    const start = node.sourceCodeLocation?.startOffset ?? this.lastOffset;
    if (parent.name === 'style') {
      const end = node.sourceCodeLocation?.endOffset ?? start;
      this.styleLength += end - start;
      this.styles.push({ element: parent, offset: start, length: end - start });
      this.css.readSheet(this.html.slice(start, end), start);
    }
    const text = { text: node.value, offset: start, parent };
    parent.children.push(text);
    if (!UNREAD_ELEMENTS.has(parent.name)) this.texts.push(text);
  }
}

/** The position of an attribute, or of its element if that is unknown. */
export function attributeOffset(element: EmailElement, attribute: string): number {
  return attributeRange(element, attribute)?.startOffset ?? element.offset;
}

/** An attribute as the author wrote it, with its expressions. */
export function writtenAttribute({ source }: ParsedEmail, element: EmailElement, attribute: string): string {
  const range = attributeRange(element, attribute);
  return range ? source.slice(range.startOffset, range.endOffset) : attribute;
}

function attributeRange({ attributeRanges }: EmailElement, attribute: string): AttributeRange | undefined {
  return Object.hasOwn(attributeRanges, attribute) ? attributeRanges[attribute] : undefined;
}

/** Whether a child is an element. */
export function isElement(node: EmailElement | EmailText): node is EmailElement {
  return 'children' in node;
}

/** The element and all that it contains, in the order of the source, at most `limit` of them. */
export function* subtreeOf(element: EmailElement, limit = 2_000): Generator<EmailElement | EmailText> {
  const waiting: (EmailElement | EmailText)[] = [element];
  for (let next = waiting.pop(); next && limit > 0; next = waiting.pop(), limit--) {
    yield next;
    if (isElement(next)) waiting.push(...next.children.slice(0, limit).reverse());
  }
}

/** The text in an element. */
export function textIn(element: EmailElement): string {
  const parts: string[] = [];
  for (const node of subtreeOf(element)) if (!isElement(node)) parts.push(node.text);
  return parts.join('');
}

const unfinished = (message: string) => ['markup_unfinished', message] as const;
const malformed = (message: string) => ['markup_malformed', message] as const;

/** The parser's errors, by their names in the HTML standard. Those that all browsers repair alike are left out. */
const ERRORS: Readonly<Record<string, readonly [RuleName, string]>> = {
  'eof-in-tag': unfinished('A tag is unterminated: its closing bracket is missing.'),
  'eof-in-comment': unfinished('A comment is unterminated: its --> is missing.'),
  'eof-before-tag-name': unfinished('The body ends with an opening bracket.'),
  'unknown-named-character-reference': ['entity_unknown', 'An entity is unknown.'],
  'duplicate-attribute': ['attribute_twice', 'An attribute occurs twice in one tag.'],
  'unexpected-character-in-attribute-name': malformed('An attribute name contains a quote or bracket.'),
  'unexpected-equals-sign-before-attribute-name': malformed('An attribute name starts with an equals sign.'),
  'unexpected-character-in-unquoted-attribute-value': malformed(
    'An unquoted attribute value contains a quote or bracket.',
  ),
  'missing-attribute-value': malformed('An attribute has no value after its equals sign.'),
  'invalid-first-character-of-tag-name': malformed('A bracket opens a tag without a name.'),
  'missing-end-tag-name': malformed('A closing tag has no name.'),
  'end-tag-with-attributes': malformed('A closing tag has attributes.'),
  'incorrectly-closed-comment': malformed('A comment ends with --!> instead of -->.'),
};

function markupFinding({ code, startOffset }: ParserError): RuleFinding[] {
  const known = ERRORS[code];
  return known ? [{ rule: known[0], message: known[1], at: startOffset }] : [];
}
