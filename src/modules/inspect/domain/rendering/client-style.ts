/** Reduces style sheets and style attributes to what an email client applies. Pure. */
import { parse, toPlainObject, type CssNodePlain, type SelectorPlain } from 'css-tree';
import { featuresOfAtRule, featuresOfDeclaration, featuresOfRule } from '../support/css-features.js';
import { isTooDeep, type CssDeclaration } from '../email/css-reading.js';
import type { Client } from './clients.js';

/** Called for each part of a style that is removed. */
export type DropStyle = (kind: 'declaration' | 'selector' | 'at_rule', name: string, value: string) => void;

/** Maximum number of characters of a selector or a value that are reported. */
const LONGEST_TOLD = 200;
/** At-rules that contain rules. */
const GROUPS = new Set(['media', 'supports', 'layer', 'container']);

/** The class that replaces `body` where a message becomes part of another page. */
export const BODY_CLASS = 'wp-body';

/** Whether the client applies a declaration. */
export function heeds(
  client: Client,
  declaration: Omit<CssDeclaration, 'offset' | 'end'>,
  element: string | null,
): boolean {
  const { property, text } = declaration;
  if (featuresOfDeclaration(declaration).some((slug) => client.lacks.has(slug))) return false;
  return !client.ignores({ property, text: text.toLowerCase(), element });
}

/** A declaration as it is written in a style attribute. */
export function written({ property, text, important }: Omit<CssDeclaration, 'offset' | 'end'>): string {
  return `${property}:${text}${important ? ' !important' : ''}`;
}

/**
 * A parsed sheet; `faulty` if the parser met an error. A sheet that is nested too deeply is not parsed: null in its
 * place.
 */
export interface ReadSheet {
  readonly css: string;
  readonly nodes: readonly CssNodePlain[];
  readonly faulty: boolean;
}

export function readSheet(css: string): ReadSheet | null {
  if (isTooDeep(css)) return null;
  let faulty = false;
  // Some authors hide styles in HTML comments, which CSS skips.
  const tree = toPlainObject(
    parse(css, { context: 'stylesheet', positions: true, onParseError: () => (faulty = true) }),
  );
  return { css, nodes: tree.type === 'StyleSheet' ? tree.children : [], faulty };
}

/** Removes from a sheet what the client does not apply. */
export function sheetAsHeeded(sheet: ReadSheet, client: Client, drop: DropStyle): string {
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
    const lacks = featuresOfAtRule({ name, prelude }).some((slug) => this.client.lacks.has(slug));
    if (lacks || name === 'import' || (name === 'media' && !this.client.heedsMedia(prelude))) {
      this.drop('at_rule', name, prelude.slice(0, LONGEST_TOLD));
      return '';
    }
    if (!GROUPS.has(name) || !node.block) return this.sliceOf(node);
    return `@${name} ${prelude}{${this.nodes(node.block.children, nested)}}`;
  }

  private rule(node: Extract<CssNodePlain, { type: 'Rule' }>, nested: boolean): string {
    if (node.prelude.type !== 'SelectorList') return '';
    const kept = node.prelude.children.filter((part): part is SelectorPlain => {
      if (part.type !== 'Selector') return false;
      const heeded = featuresOfRule({ selectors: [part], nested }).every(
        (slug) => !this.client.lacks.has(slug),
      );
      if (!heeded) this.drop('selector', this.sliceOf(part).slice(0, LONGEST_TOLD), '');
      return heeded;
    });
    if (kept.length === 0) return '';
    return `${kept.map((part) => this.selector(part)).join(',')}{${this.nodes(node.block.children, true)}}`;
  }

  private declaration(node: Extract<CssNodePlain, { type: 'Declaration' }>): string {
    const declaration = {
      property: node.property.startsWith('--') ? node.property : node.property.toLowerCase(),
      text: this.sliceOf(node.value).trim(),
      value: node.value,
      important: node.important !== false,
    };
    if (heeds(this.client, declaration, null)) return `${written(declaration)};`;
    this.drop('declaration', declaration.property, declaration.text.slice(0, LONGEST_TOLD));
    return '';
  }

  /** With the client's prefix before classes and ids, and its division in place of the body. */
  private selector(part: SelectorPlain): string {
    const { prefix, embedded } = this.client;
    const start = part.loc?.start.offset ?? 0;
    let text = '';
    let reached = start;
    for (const piece of part.children) {
      if (!piece.loc) continue;
      const [from, to] = [piece.loc.start.offset, piece.loc.end.offset];
      text += this.css.slice(reached, from);
      reached = to;
      const own = this.css.slice(from, to);
      if (piece.type === 'ClassSelector' || piece.type === 'IdSelector')
        text += own.slice(0, 1) + prefix + own.slice(1);
      else if (embedded && piece.type === 'TypeSelector' && /^(html|body)$/i.test(own))
        text += `.${BODY_CLASS}`;
      else text += own;
    }
    return text + this.css.slice(reached, part.loc?.end.offset ?? reached);
  }

  private sliceOf({ loc }: Pick<CssNodePlain, 'loc'>): string {
    return loc ? this.css.slice(loc.start.offset, loc.end.offset) : '';
  }
}
