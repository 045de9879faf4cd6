/** Reduces style sheets and style attributes to what an email client applies. Pure. */
import { parse, toPlainObject, type CssNodePlain, type SelectorPlain } from 'css-tree';
import { featuresOfAtRule, featuresOfDeclaration, featuresOfRule } from '../support/css-features.js';
import { isTooDeep, type CssDeclaration } from '../email/css-reader.js';
import type { Client } from './clients.js';

/** Called for each part of a style that is removed. */
export type DropStyle = (kind: 'declaration' | 'selector' | 'at_rule', name: string, value: string) => void;

/** Maximum number of characters of a selector or a value that are reported. */
const MAX_REPORTED_LENGTH = 200;
/** At-rules that contain rules. */
const GROUPS = new Set(['media', 'supports', 'layer', 'container']);

/** The class that replaces `body` where a message becomes part of another page. */
export const BODY_CLASS = 'wp-body';

/** Whether the client applies a declaration. */
export function isApplied(
  client: Client,
  declaration: Omit<CssDeclaration, 'offset' | 'end'>,
  element: string | null,
): boolean {
  const { property, text } = declaration;
  if (featuresOfDeclaration(declaration).some((slug) => client.unsupported.has(slug))) return false;
  return !client.ignores({ property, text: text.toLowerCase(), element });
}

/** A declaration as it is written in a style attribute. */
export function written({ property, text, important }: Omit<CssDeclaration, 'offset' | 'end'>): string {
  return `${property}:${text}${important ? ' !important' : ''}`;
}

/**
 * A parsed sheet; `hasErrors` if the parser met an error. A sheet that is nested too deeply is not parsed: null in its
 * place.
 */
export interface ParsedSheet {
  readonly css: string;
  readonly nodes: readonly CssNodePlain[];
  readonly hasErrors: boolean;
}

export function readSheet(css: string): ParsedSheet | null {
  if (isTooDeep(css)) return null;
  let hasErrors = false;
  // Some authors hide styles in HTML comments, which CSS skips.
  const tree = toPlainObject(
    parse(css, { context: 'stylesheet', positions: true, onParseError: () => (hasErrors = true) }),
  );
  return { css, nodes: tree.type === 'StyleSheet' ? tree.children : [], hasErrors };
}

/** Removes from a sheet what the client does not apply. */
export function appliedSheet(sheet: ParsedSheet, client: Client, drop: DropStyle): string {
  return new SheetWriter(sheet.css, client, drop).nodes(sheet.nodes, false);
}

class SheetWriter {
  constructor(
    private readonly css: string,
    private readonly client: Client,
    private readonly drop: DropStyle,
  ) {}

  /** The depth is bounded before parsing, so the recursion is bounded too. */
  nodes(nodes: readonly CssNodePlain[], nested: boolean): string {
    return nodes.map((node) => this.node(node, nested)).join('');
  }

  private node(node: CssNodePlain, nested: boolean): string {
    if (node.type === 'Atrule') return this.atRule(node, nested);
    if (node.type === 'Rule') return this.rule(node, nested);
    if (node.type === 'Declaration') return this.declaration(node);
    return '';
  }

  private atRule(node: Extract<CssNodePlain, { type: 'Atrule' }>, nested: boolean): string {
    const name = node.name.toLowerCase();
    const prelude = node.prelude ? this.sliceOf(node.prelude) : '';
    const isUnsupported = featuresOfAtRule({ name, prelude }).some((slug) =>
      this.client.unsupported.has(slug),
    );
    if (isUnsupported || name === 'import' || (name === 'media' && !this.client.appliesMedia(prelude))) {
      this.drop('at_rule', name, prelude.slice(0, MAX_REPORTED_LENGTH));
      return '';
    }
    if (!GROUPS.has(name) || !node.block) return this.sliceOf(node);
    return `@${name} ${prelude}{${this.nodes(node.block.children, nested)}}`;
  }

  private rule(node: Extract<CssNodePlain, { type: 'Rule' }>, nested: boolean): string {
    if (node.prelude.type !== 'SelectorList') return '';
    const applied = node.prelude.children.filter((part): part is SelectorPlain => {
      if (part.type !== 'Selector') return false;
      const isSupported = featuresOfRule({ selectors: [part], nested }).every(
        (slug) => !this.client.unsupported.has(slug),
      );
      if (!isSupported) this.drop('selector', this.sliceOf(part).slice(0, MAX_REPORTED_LENGTH), '');
      return isSupported;
    });
    if (applied.length === 0) return '';
    return `${applied.map((part) => this.selector(part)).join(',')}{${this.nodes(node.block.children, true)}}`;
  }

  private declaration(node: Extract<CssNodePlain, { type: 'Declaration' }>): string {
    const declaration = {
      property: node.property.startsWith('--') ? node.property : node.property.toLowerCase(),
      text: this.sliceOf(node.value).trim(),
      value: node.value,
      important: node.important !== false,
    };
    if (isApplied(this.client, declaration, null)) return `${written(declaration)};`;
    this.drop('declaration', declaration.property, declaration.text.slice(0, MAX_REPORTED_LENGTH));
    return '';
  }

  /** With the client's prefix before classes and ids, and its division in place of the body. */
  private selector(part: SelectorPlain): string {
    const { prefix, embedded } = this.client;
    const start = part.loc?.start.offset ?? 0;
    let text = '';
    let position = start;
    for (const piece of part.children) {
      if (!piece.loc) continue;
      const [from, to] = [piece.loc.start.offset, piece.loc.end.offset];
      text += this.css.slice(position, from);
      position = to;
      const own = this.css.slice(from, to);
      if (piece.type === 'ClassSelector' || piece.type === 'IdSelector')
        text += own.slice(0, 1) + prefix + own.slice(1);
      else if (embedded && piece.type === 'TypeSelector' && /^(html|body)$/i.test(own))
        text += `.${BODY_CLASS}`;
      else text += own;
    }
    return text + this.css.slice(position, part.loc?.end.offset ?? position);
  }

  private sliceOf({ loc }: Pick<CssNodePlain, 'loc'>): string {
    return loc ? this.css.slice(loc.start.offset, loc.end.offset) : '';
  }
}
