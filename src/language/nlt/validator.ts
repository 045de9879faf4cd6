/**
 * Finds errors and warnings in a template (specification sections 2.7: validation_errors, and 4.3: validate). Errors
 * are expressions that do not parse. Some warnings need no sample; others report what a sample context lacks.
 *
 * Edge cases:
 * - With a sample, only the branch that it takes is checked for missing values, and only the first entry of each list:
 *   a value guarded by `exists` causes no false alarm.
 * - A value with `or` or `required` is never reported as missing. A group of values causes a warning even then, since
 *   it is never shown.
 */
import { compileCondition } from './condition-compiler.js';
import { MAX_ERRORS } from './limits.js';
import { type RenderContext, RenderState } from './render-context.js';
import { losesTags, LINT_PATTERNS, wordWithoutComma } from './lint-patterns.js';
import { SourceLines } from './source-lines.js';
import { printPipedValue } from './formatter.js';
import type { IfNode, PipedValue, Position, Template, TemplateNode } from './tree.js';
import { compilePipedValue, type Scope } from './value-compiler.js';
import { isGroup, isMissing } from './value-text.js';

/** One finding; `blockText` is the expression as written. */
export interface Finding {
  readonly severity: 'error' | 'warning';
  readonly message: string;
  readonly line: number;
  readonly column: number;
  readonly blockText: string;
}

/** All findings in the order of the source: at most MAX_ERRORS errors and as many warnings. Never throws. */
export function validateTemplate(template: Template, sampleContext?: RenderContext): readonly Finding[] {
  const errors = template.errors.map(({ message, position, blockText }) => {
    return finding('error', message, position, blockText);
  });
  const warnings = new TemplateLinter(template).run(sampleContext);
  return [...errors, ...warnings].sort((a, b) => a.line - b.line || a.column - b.column);
}

function finding(
  severity: Finding['severity'],
  message: string,
  position: Position,
  blockText: string,
): Finding {
  return { severity, message, line: position.line, column: position.column, blockText };
}

class TemplateLinter {
  private readonly warnings: Finding[] = [];

  constructor(private readonly template: Template) {}

  run(sampleContext: RenderContext | undefined): Finding[] {
    this.lintSource();
    this.check(this.template.nodes, [], this.stateOf(sampleContext));
    return this.warnings;
  }

  private stateOf(sampleContext: RenderContext | undefined): RenderState | null {
    if (sampleContext === undefined) return null;
    return this.guarded(() => new RenderState(sampleContext), null);
  }

  /** A sample may contain anything, even objects that throw when read; such a value counts as `otherwise`. */
  private guarded<Result>(read: () => Result, otherwise: Result): Result {
    try {
      return read();
    } catch {
      return otherwise;
    }
  }

  private lintSource(): void {
    const { source } = this.template;
    const lines = new SourceLines(source);
    for (const { pattern, message } of LINT_PATTERNS) {
      for (const match of source.matchAll(pattern)) {
        this.warn(message, lines.positionOf(match.index), match[0]);
      }
    }
  }

  /** Checks nodes; `state` is null where the sample does not apply (no sample, or a branch it does not take). */
  private check(nodes: readonly TemplateNode[], scope: Scope, state: RenderState | null): void {
    for (const node of nodes) {
      if (node.kind === 'output') {
        this.checkOutput(node.value, node.position, node.end, scope, state);
      } else if (node.kind === 'if') {
        this.checkIf(node, scope, state);
      } else if (node.kind === 'for') {
        const first = this.firstEntry(node.list, node.position, node.end, scope, state);
        this.lintExpression(node.position, node.end, node.list);
        if (state !== null) state.locals[scope.length] = first;
        this.check(node.body, [...scope, node.variable], first === undefined ? null : state);
      }
    }
  }

  private checkOutput(
    piped: PipedValue,
    at: Position,
    end: number,
    scope: Scope,
    state: RenderState | null,
  ): void {
    if (piped.modifiers.some((modifier) => modifier.kind === 'as' && modifier.format === 'html')) {
      this.warn('as "html" inserts the value without escaping: only use it for HTML you trust.', at, end);
    }
    this.lintExpression(at, end, piped);
    if (state === null) return;
    const value = this.read(withoutFallback(piped), scope, state);
    if (showsGroup(value)) {
      this.warn(
        `${printPipedValue(piped)} is a group of values and shows nothing: name one of them.`,
        at,
        end,
      );
    } else if (isMissing(value) && !hasFallback(piped)) {
      this.warn(
        `${printPipedValue(piped)}: the sample data has no such value. Add or "…" as a fallback.`,
        at,
        end,
      );
    }
  }

  private lintExpression(at: Position, end: number, piped: PipedValue | null): void {
    const block = this.template.source.slice(at.offset, end);
    const word = piped === null ? undefined : wordWithoutComma(piped, block);
    if (word !== undefined) {
      this.warn(
        `Is a comma missing before “${word}”? If it is part of the name, put the name in quotes.`,
        at,
        end,
      );
    }
    if (losesTags(block)) {
      this.warn(
        'Tags in a quoted text are removed: write them outside the braces, or insert HTML with as "html".',
        at,
        end,
      );
    }
  }

  private checkIf(node: IfNode, scope: Scope, state: RenderState | null): void {
    let isBranchTaken = state === null;
    for (const { condition, body, position, end } of node.branches) {
      this.lintExpression(position, end, null);
      const holds =
        !isBranchTaken &&
        state !== null &&
        this.guarded(() => compileCondition(condition, scope)(state), false);
      isBranchTaken ||= holds;
      this.check(body, scope, holds ? state : null);
    }
    this.check(node.otherwise ?? [], scope, isBranchTaken ? null : state);
  }

  private firstEntry(
    list: PipedValue,
    at: Position,
    end: number,
    scope: Scope,
    state: RenderState | null,
  ): unknown {
    if (state === null) return undefined;
    const value = this.read(list, scope, state);
    if (Array.isArray(value)) return (value as unknown[])[0];
    if (!hasFallback(list)) {
      const what = isMissing(value)
        ? 'the sample data has no such list'
        : 'the value in the sample data is not a list';
      this.warn(`${printPipedValue(list)}: ${what}, so the loop shows nothing.`, at, end);
    }
    return undefined;
  }

  private read(piped: PipedValue, scope: Scope, state: RenderState): unknown {
    return this.guarded(() => compilePipedValue(piped, scope)(state), undefined);
  }

  private warn(message: string, position: Position, block: number | string): void {
    if (this.warnings.length >= MAX_ERRORS) return;
    const text = typeof block === 'string' ? block : this.template.source.slice(position.offset, block);
    this.warnings.push(finding('warning', message, position, text));
  }
}

/** Whether a value is an object, or a list of only objects, which shows nothing. */
function showsGroup(value: unknown): boolean {
  return isGroup(value) || (Array.isArray(value) && value.length > 0 && value.every(isGroup));
}

function withoutFallback({ value, modifiers }: PipedValue): PipedValue {
  return { value, modifiers: modifiers.filter(({ kind }) => kind !== 'or' && kind !== 'required') };
}

function hasFallback(piped: PipedValue): boolean {
  return piped.modifiers.some((modifier) => modifier.kind === 'or' || modifier.kind === 'required');
}
