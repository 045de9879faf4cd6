/**
 * Compiles a tree into a function that is cached per template version and called once per message. Static text is
 * split, names are prepared and escaping is selected at compile time; a rendering only looks up values and joins
 * strings. Pure: no input but the context, no output but the result.
 *
 * Edge cases:
 * - `subject`: every run of control characters, including line breaks, becomes one space, as in a mail header, whether
 *   it comes from a value or from the template.
 * - `text` and `subject` insert values unchanged; `as "html"` has no effect there. Only in the address of a link, which
 *   is marked in a `text`, are values encoded as in HTML.
 * - The limits of iterations and work apply per rendering, so per part (subject, body) of a message.
 */
import { compileCondition } from './condition-compiler.js';
import type { Lookahead } from './address-state.js';
import { escapeAddress, escapeFor, escapeCost } from './escaping.js';
import { HtmlStateSet } from './html-state-set.js';
import { MAX_BLOCKS, MAX_WORK, WORK_COST } from './limits.js';
import { joinWriters, type Writer, originsOf, joinTracedWriters, tracedValue } from './join-writers.js';
import type { EscapeContext } from './escape-context.js';
import {
  type RenderContext,
  type RenderFailureCode,
  type RenderResult,
  RenderState,
  RenderAbortedError,
} from './render-context.js';
import { type RenderedPiece, RenderTrace } from './render-trace.js';
import { ADDRESS_END, ADDRESS_START, markedPieces } from './text-marks.js';
import { codeLengthOf } from './template-walk.js';
import type { ForNode, IfNode, OutputNode, Template, TemplateNode, TextOrigin } from './tree.js';
import { compilePipedValue, type Scope } from './value-compiler.js';
import { textOf } from './value-text.js';

/** What is rendered: an HTML body, its plain-text version, or a subject line. */
export type RenderTarget = 'html' | 'text' | 'subject';

/** A template that can be rendered any number of times. */
export interface CompiledTemplate {
  /** The cost of parsing and compiling, in units of about 150 ns: counted, so that it is the same on every machine. */
  readonly compileWork: number;
  /**
   * Renders with the data of one message; never throws.
   * @param work the maximum cost, in the units of MAX_WORK, which is the default. A latency-sensitive caller first
   *   tries with less (MAX_INLINE_WORK), and retries elsewhere if the outcome is `work_limit`.
   */
  render(context: RenderContext, work?: number): RenderResult;
}

/** The cost of a character of code, relative to one of static HTML. */
const CODE_CHARACTER_COST = 12;

/** Compiles a template; one with errors renders to `failed`. */
export function compileTemplate(template: Template, target: RenderTarget): CompiledTemplate {
  if (template.errors.length > 0) {
    const message = template.errors[0]?.message ?? 'The template has errors.';
    const result: RenderResult = {
      kind: 'failed',
      error: { code: 'syntax_error', message, errors: template.errors },
    };
    return { compileWork: template.source.length, render: () => result };
  }
  const start = HtmlStateSet.start();
  const write = compileBody(template, target, start, false);
  return {
    compileWork: start.spent + CODE_CHARACTER_COST * codeLengthOf(template),
    render: (context, work = MAX_WORK) => render(write, target, context, work),
  };
}

/** A rendering with the origin of its text; without pieces if it was not rendered. */
export interface TracedResult {
  readonly result: RenderResult;
  readonly pieces: readonly RenderedPiece[];
}

/**
 * Renders an HTML body as its compiled template does, and maps each part of the output to its position in the source.
 * For callers that check a rendered message and report findings to its author. Never throws.
 * @param work see CompiledTemplate.render.
 */
export function renderTraced(template: Template, context: RenderContext, work = MAX_WORK): TracedResult {
  if (template.errors.length > 0)
    return { result: compileTemplate(template, 'html').render(context), pieces: [] };
  const trace = new RenderTrace();
  const write = compileBody(template, 'html', HtmlStateSet.start(), true);
  const result = render(write, 'html', context, work, trace);
  return { result, pieces: result.kind === 'rendered' ? trace.pieces : [] };
}

function compileBody(template: Template, target: RenderTarget, start: HtmlStateSet, traced: boolean): Writer {
  const compiler = new BodyCompiler(target, start, traced);
  const tracked = compiler.compileNodes(template.nodes, []);
  return compiler.isExhausted
    ? new BodyCompiler(target, HtmlStateSet.untracked(), traced).compileNodes(template.nodes, [])
    : tracked;
}

function render(
  write: Writer,
  target: RenderTarget,
  context: RenderContext,
  work: number,
  trace: RenderTrace | null = null,
): RenderResult {
  try {
    const state = new RenderState(context, work);
    state.trace = trace;
    const text = write(state);
    return {
      kind: 'rendered',
      text: target === 'subject' ? text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ') : text,
    };
  } catch (error) {
    if (error instanceof RenderAbortedError) return error.result;
    return failed('unreadable_data', `The data could not be read: ${errorMessage(error)}`);
  }
}

function failed(code: RenderFailureCode, message: string): RenderResult {
  return { kind: 'failed', error: { code, message, errors: [] } };
}

/** Data may throw any value, even one that cannot be converted to a text. */
function errorMessage(error: unknown): string {
  return error instanceof Error && typeof error.message === 'string' ? error.message : 'unknown error';
}

/** Compiles nodes in the order of the source, since escaping depends on the HTML before them. */
class BodyCompiler {
  /** What each value learns about the text after it. Kept here because a loop's body may be compiled more than once. */
  private readonly lookaheads = new Map<OutputNode, Lookahead>();
  private compiledNodes = 0;

  constructor(
    private readonly target: RenderTarget,
    private html: HtmlStateSet,
    /** Whether the compiled writers record the origin of their output. */
    private readonly traced: boolean,
  ) {}

  /** Whether following loops reached its limit, so that the positions inside them are uncertain. */
  get isExhausted(): boolean {
    return this.compiledNodes > MAX_COMPILED_NODES;
  }

  compileNodes(nodes: readonly TemplateNode[], scope: Scope): Writer {
    const texts = [''];
    const origins: TextOrigin[][] = [[]];
    const writers: Writer[] = [];
    for (const node of nodes) {
      if (node.kind === 'text') {
        if (this.traced)
          for (const origin of originsOf(node, texts.at(-1)?.length ?? 0)) origins.at(-1)?.push(origin);
        texts[texts.length - 1] += this.passText(node.text);
      } else {
        const write = this.compileNode(node, scope);
        writers.push(
          this.traced && node.kind === 'output' ? tracedValue(write, node.position.offset) : write,
        );
        texts.push('');
        origins.push([]);
      }
    }
    return this.traced ? joinTracedWriters(texts, origins, writers) : joinWriters(texts, writers);
  }

  /** Processes static text and returns the part that is shown. */
  private passText(text: string): string {
    if (this.target === 'subject') return text;
    if (this.target === 'html') {
      this.html.passText(text);
      return text;
    }
    let shown = '';
    for (const piece of markedPieces(text)) {
      // An address is processed like that of a link in HTML; nothing else in a plain text is markup.
      if (piece === ADDRESS_START) this.html.passText('<a href="');
      else if (piece === ADDRESS_END) this.html.passText('">');
      else {
        this.html.passText(piece.replace(/[<"]/g, '_'));
        shown += piece;
      }
    }
    return shown;
  }

  private compileNode(node: OutputNode | IfNode | ForNode, scope: Scope): Writer {
    this.compiledNodes++;
    switch (node.kind) {
      case 'output':
        return this.compileOutput(node, scope);
      case 'if':
        return this.compileIf(node, scope);
      case 'for':
        return this.compileFor(node, scope);
    }
  }

  private compileOutput(node: OutputNode, scope: Scope): Writer {
    const read = compilePipedValue(node.value, scope);
    const escapeContext = this.escapeContextOf(node);
    if (escapeContext === null) {
      return (state) => {
        state.spend(WORK_COST.step);
        return state.emit(textOf(read(state), state));
      };
    }
    const lookahead = this.lookaheadOf(node);
    const escape =
      this.target === 'html' ? escapeFor(escapeContext, lookahead) : escapeAddress(escapeContext, lookahead);
    const cost = escapeCost(escapeContext);
    const allowsDigits = !(escapeContext.kind === 'link' && escapeContext.part === 'reference');
    return (state) => {
      state.spend(WORK_COST.step);
      const value = read(state);
      if (value === undefined) return '';
      // The digits of a whole number are safe in every other context.
      if (allowsDigits && typeof value === 'number' && Number.isSafeInteger(value)) {
        return state.emit(String(value));
      }
      const text = typeof value === 'string' ? value : textOf(value, state);
      state.spend(text.length * cost);
      return state.emit(escape(text));
    };
  }

  /** The context that a value is escaped for; null if it is written unchanged. */
  private escapeContextOf(node: OutputNode): EscapeContext | null {
    if (this.target === 'subject') return null;
    const { context: escapeContext } = this.html;
    this.html.passExpression(this.lookaheadOf(node));
    if (this.target === 'text' && escapeContext.kind === 'text') return null;
    const asHtml = node.value.modifiers.some(
      (modifier) => modifier.kind === 'as' && modifier.format === 'html',
    );
    return asHtml ? null : escapeContext;
  }

  private lookaheadOf(node: OutputNode): Lookahead {
    let lookahead = this.lookaheads.get(node);
    if (lookahead === undefined) this.lookaheads.set(node, (lookahead = { joinsScheme: false }));
    return lookahead;
  }

  private compileIf(node: IfNode, scope: Scope): Writer {
    const before = this.html;
    const after: HtmlStateSet[] = [];
    const compileBranch = (body: readonly TemplateNode[]): Writer => {
      this.html = before.copy();
      const write = this.compileNodes(body, scope);
      after.push(this.html);
      return write;
    };
    const branches = node.branches.map(({ condition, body }) => {
      return { test: compileCondition(condition, scope), write: compileBranch(body) };
    });
    const otherwise = node.otherwise === null ? null : compileBranch(node.otherwise);
    const [first = before, ...rest] = otherwise === null ? [before, ...after] : after;
    this.html = first.unionWith(rest);
    return (state) => {
      for (const { test, write } of branches) if (test(state)) return write(state);
      return otherwise === null ? '' : otherwise(state);
    };
  }

  private compileFor(node: ForNode, scope: Scope): Writer {
    const read = compilePipedValue(node.list, scope);
    const slot = scope.length;
    const write = this.compileLoop(node.body, [...scope, node.variable]);
    return (state) => {
      const list = read(state);
      if (!Array.isArray(list)) return '';
      let text = '';
      for (const item of list as unknown[]) {
        state.iterate();
        state.locals[slot] = item;
        text += write(state);
      }
      return text;
    };
  }

  /** Compiles the body of a loop for every context that one of its iterations may start in. */
  private compileLoop(body: readonly TemplateNode[], scope: Scope): Writer {
    for (let before = this.html; ;) {
      this.html = before.copy();
      const write = this.compileNodes(body, scope);
      const isSettled = before.covers(this.html);
      before = this.html = before.unionWith([this.html]);
      if (isSettled || this.isExhausted) return write;
    }
  }
}

/** The maximum number of nodes compiled to follow the HTML through loops; no real template needs more. */
const MAX_COMPILED_NODES = 3 * MAX_BLOCKS;
