/**
 * Reads styles for rules: parses rules and declarations with bounds on depth, length and errors, since a template may
 * be hostile and the CSS parser has no such bounds.
 */
import {
  parse,
  tokenize,
  toPlainObject,
  tokenTypes,
  type CssNodePlain,
  type ParseOptions,
  type SelectorPlain,
  type SyntaxParseError,
} from 'css-tree';
import { VALUE_MARK } from './blanked-source.js';
import { quote, type RuleFinding } from '../findings/finding.js';

export interface CssDeclaration {
  /** In lower case; custom properties as written. */
  readonly property: string;
  /** As written, without !important. */
  readonly text: string;
  readonly value: CssNodePlain;
  readonly important: boolean;
  readonly offset: number;
  /** The offset of its end; in a style attribute, the same as `offset`. */
  readonly end: number;
}

export interface CssRule {
  readonly selectors: readonly SelectorPlain[];
  readonly declarations: readonly CssDeclaration[];
  /** Whether it applies only conditionally: it is inside @media, @supports or similar. */
  readonly conditional: boolean;
  readonly nested: boolean;
  /** Whether it applies in dark mode only. */
  readonly dark: boolean;
  readonly offset: number;
}

export interface CssAtRule {
  readonly name: string;
  readonly prelude: string;
  /** Whether it is inside another one. */
  readonly nested: boolean;
  readonly offset: number;
}

/** Maximum number of characters of CSS that are read in one template. */
const MAX_CHARACTERS = 150_000;
/** After this number of errors a sheet is no longer read: it is not CSS. */
const MAX_ERRORS = 50;
/** Maximum nesting of brackets. */
const MAX_DEPTH = 30;

class TooManyErrors extends Error {}

/** The context of a rule. */
type RuleContext = Readonly<Record<'conditional' | 'nested' | 'dark' | 'within', boolean>>;
const TOP_LEVEL: RuleContext = { conditional: false, nested: false, dark: false, within: false };
const DARK_SCHEME_QUERY = /prefers-color-scheme\s*:\s*dark/i;

/** Reads the styles of one template, one after another. */
export class CssReader {
  readonly rules: CssRule[] = [];
  readonly atRules: CssAtRule[] = [];
  readonly findings: RuleFinding[] = [];
  private remaining = MAX_CHARACTERS;
  private errors = 0;
  private hasReportedExcess = false;
  private readonly attributes = new Map<string, readonly CssDeclaration[]>();

  /** Reads a <style> element; `offset` is where its text begins. */
  readSheet(css: string, offset: number): void {
    const sheet = this.parse(css, { context: 'stylesheet' }, (at) => offset + at, offset);
    if (sheet?.type === 'StyleSheet') this.addAll(sheet.children, css, offset, TOP_LEVEL);
  }

  /** Reads a style attribute; all of its declarations have the attribute's offset. */
  readAttribute(css: string, offset: number): CssDeclaration[] {
    // Tables repeat their styles in every cell.
    const known = this.attributes.get(css);
    if (known) return known.map((declaration) => ({ ...declaration, offset, end: offset }));
    const list = this.parse(css, { context: 'declarationList' }, () => offset, offset);
    const declarations =
      list?.type === 'DeclarationList' ? declarationsIn(list.children, css, () => offset) : [];
    this.attributes.set(css, declarations);
    return declarations;
  }

  private parse(
    css: string,
    options: ParseOptions,
    toOffset: (at: number) => number,
    offset: number,
  ): CssNodePlain | null {
    this.remaining -= css.length;
    if (this.remaining < 0 || this.errors > MAX_ERRORS || isTooDeep(css)) {
      if (!this.hasReportedExcess) this.reportExcess(offset);
      return null;
    }
    try {
      // Parses to lists first: the parser's direct output of arrays fails on a blank in a selector.
      const tree = parse(css, {
        ...options,
        positions: true,
        onParseError: (error, fallback) => {
          // An expression may replace a name in CSS; its value may be valid CSS.
          if (fallback?.type !== 'Raw' || !fallback.value.includes(VALUE_MARK))
            this.reportError(error, css, toOffset);
        },
      });
      return toPlainObject(tree);
    } catch (error) {
      if (!(error instanceof TooManyErrors)) throw error;
      this.reportExcess(offset);
      return null;
    }
  }

  private reportError(error: SyntaxParseError, css: string, toOffset: (at: number) => number): void {
    const around = css.slice(Math.max(0, error.offset - 20), error.offset + 20);
    const message = `The CSS cannot be parsed near ${quote(around)}.`;
    this.findings.push({ rule: 'css_invalid', message, at: toOffset(error.offset) });
    if (++this.errors > MAX_ERRORS) throw new TooManyErrors();
  }

  private reportExcess(at: number): void {
    this.hasReportedExcess = true;
    const message = 'There is more CSS than can be checked: it is too long, too deeply nested or not CSS.';
    this.findings.push({ rule: 'css_too_much', message, at });
  }

  /** The depth is bounded before parsing, so the recursion is bounded too. */
  private addAll(nodes: readonly CssNodePlain[], css: string, offset: number, context: RuleContext): void {
    for (const node of nodes) {
      const start = offset + (node.loc?.start.offset ?? 0);
      if (node.type === 'Atrule') {
        const prelude = node.prelude?.loc ? sliceOf(css, node.prelude.loc) : '';
        const name = node.name.toLowerCase();
        this.atRules.push({ name, prelude, nested: context.within, offset: start });
        // The contents of @font-face and @keyframes are not rules for an element.
        const holdsRules = ['media', 'supports', 'layer', 'container', 'scope'].includes(name);
        const always = name === 'media' && /^\s*(only\s+)?(all|screen)\s*$/i.test(prelude);
        if (node.block && holdsRules) {
          const conditional = context.conditional || !always;
          const dark = context.dark || (name === 'media' && DARK_SCHEME_QUERY.test(prelude));
          this.addAll(node.block.children, css, offset, { ...context, conditional, dark, within: true });
        }
      } else if (node.type === 'Rule') {
        this.rules.push({
          selectors:
            node.prelude.type === 'SelectorList'
              ? node.prelude.children.filter((part): part is SelectorPlain => part.type === 'Selector')
              : [],
          declarations: declarationsIn(node.block.children, css, (at) => offset + at),
          conditional: context.conditional,
          nested: context.nested,
          dark: context.dark,
          offset: start,
        });
        this.addAll(node.block.children, css, offset, { ...context, nested: true });
      }
    }
  }
}

function declarationsIn(
  nodes: readonly CssNodePlain[],
  css: string,
  toOffset: (at: number) => number,
): CssDeclaration[] {
  return nodes.flatMap((node): CssDeclaration[] => {
    if (node.type !== 'Declaration') return [];
    return [
      {
        property: node.property.startsWith('--') ? node.property : node.property.toLowerCase(),
        text: node.value.loc ? sliceOf(css, node.value.loc).trim() : '',
        value: node.value,
        important: node.important !== false,
        offset: toOffset(node.loc?.start.offset ?? 0),
        end: toOffset(node.loc?.end.offset ?? 0),
      },
    ];
  });
}

function sliceOf(css: string, location: { start: { offset: number }; end: { offset: number } }): string {
  return css.slice(location.start.offset, location.end.offset);
}

/** Whether brackets are nested deeper than the limit. Uses tokens, so that brackets in strings do not count. */
export function isTooDeep(css: string): boolean {
  const { Function, LeftParenthesis, LeftSquareBracket, LeftCurlyBracket } = tokenTypes;
  const { RightParenthesis, RightSquareBracket, RightCurlyBracket } = tokenTypes;
  const opening = new Set([Function, LeftParenthesis, LeftSquareBracket, LeftCurlyBracket]);
  const closing = new Set([RightParenthesis, RightSquareBracket, RightCurlyBracket]);
  let depth = 0;
  let deepest = 0;
  tokenize(css, (type) => {
    if (opening.has(type)) deepest = Math.max(deepest, ++depth);
    else if (closing.has(type) && depth > 0) depth--;
  });
  return deepest > MAX_DEPTH;
}
