/**
 * Replaces the Jinja2 of a source piece by piece, each at its position (specification section 4.3). Both parsing and
 * conversion of a template use it, so that messages match what conversion shows.
 *
 * Edge cases:
 * - A condition or loop is converted with all of its tags or not at all; its content is converted either way, except
 *   for expressions that read the variables of an unconverted loop.
 * - `for … if` becomes a condition inside the loop, `for … else` a condition after it. A dictionary or a text is not a
 *   list in NLT: a loop over it shows nothing.
 * - `-` trims white space next to converted blocks; blocks that stay as written keep their surroundings. Comments are
 *   removed. A brace of the text keeps one space after it, unless the template is pinned to jinja2: see `trimOffset`.
 *   `trim_blocks` and `lstrip_blocks` are off as by Jinja2's default, and a line break at the end of the template stays
 *   (`keep_trailing_newline`), since in an email it makes no difference. Line breaks stay as written.
 */
import { MAX_DEPTH, MAX_ERRORS } from '../nlt/limits.js';
import type { TemplateLanguage } from '../template-language.js';
import { conditionOf } from './jinja-conditions.js';
import { ELSE, elseIfTag, END_FOR, END_IF, forTag, ifTag, type NltPiece, outputOf } from './jinja-output.js';
import {
  type GroupTag,
  type JinjaError,
  type JinjaGroup,
  type JinjaStatement,
  type LoopHead,
  parseJinja,
} from './jinja-parser.js';
import { trimEnd, trimStart } from './jinja-scanner.js';
import { LoopScope } from '../nlt/loop-scope.js';
import { pipedOf } from './jinja-values.js';
import { unconvertible, UnconvertibleError } from './conversion.js';

/** A part of the source: `copy` is text or NLT, `unconverted` is Jinja2 that stays as written, `converted` is converted. */
export type TranslatedPart =
  | { readonly kind: 'copy'; readonly start: number; readonly end: number }
  | { readonly kind: 'kept'; readonly start: number; readonly end: number }
  | {
      readonly kind: 'made';
      readonly start: number;
      readonly end: number;
      readonly pieces: readonly NltPiece[];
    };

/** Why the block from `start` to `end` stays as written; `reason` is a sentence without its full stop. */
export interface UnconvertedBlock {
  readonly reason: string;
  readonly start: number;
  readonly end: number;
}

export interface Translation {
  /** In the order of the source; text that white-space control trims is in no part. */
  readonly parts: readonly TranslatedPart[];
  readonly errors: readonly JinjaError[];
  /** At most MAX_ERRORS. */
  readonly unconverted: readonly UnconvertedBlock[];
}

/** Translates `source`; time is linear in its length. `language` is the template's pin. Never throws. */
export function translate(source: string, language: TemplateLanguage | null): Translation {
  return new Translator(source, language).translate();
}

type Pieces = readonly NltPiece[];

class Translator {
  private readonly parts: TranslatedPart[] = [];
  private readonly unconverted: UnconvertedBlock[] = [];
  private readonly tagPieces = new Map<GroupTag, Pieces>();
  private readonly depths = new Map<JinjaGroup, number>();
  private readonly statements: readonly JinjaStatement[];
  private readonly errors: readonly JinjaError[];
  private readonly scope: LoopScope;
  private copiedUntil = 0;
  private trimsNext = false;

  constructor(
    private readonly source: string,
    private readonly language: TemplateLanguage | null,
  ) {
    const { statements, errors, assignedNames } = parseJinja(source, language);
    this.statements = statements;
    this.errors = errors;
    this.scope = new LoopScope(assignedNames);
  }

  translate(): Translation {
    for (const statement of this.statements) {
      const { start, end } = statement;
      const pieces = this.piecesOf(statement);
      this.copyTo(start, pieces !== null && statement.trimBefore);
      this.parts.push(pieces === null ? { kind: 'kept', start, end } : { kind: 'made', start, end, pieces });
      this.copiedUntil = end;
      this.trimsNext = pieces !== null && statement.trimAfter;
    }
    this.copyTo(this.source.length, false);
    const { parts, errors, unconverted } = this;
    return { parts, errors, unconverted };
  }

  private copyTo(end: number, trimsEnd: boolean): void {
    const text = this.source.slice(this.copiedUntil, end);
    const start = this.trimsNext ? end - trimStart(text).length : this.copiedUntil;
    const stop = trimsEnd ? this.trimOffset(start, end) : end;
    if (stop > start) this.parts.push({ kind: 'copy', start, end: stop });
  }

  /**
   * The offset at which the text from `start` to `end` is trimmed; a brace keeps a space, or it would become part of
   * the NLT.
   */
  private trimOffset(start: number, end: number): number {
    const offset = start + trimEnd(this.source.slice(start, end)).length;
    const isBrace = this.language !== 'jinja2' && this.source[offset - 1] === '{';
    return isBrace ? Math.min(offset + 1, end) : offset;
  }

  /** The pieces of a statement; null if it stays as written. */
  private piecesOf(statement: JinjaStatement): Pieces | null {
    switch (statement.kind) {
      case 'output':
        return this.attempt(statement, () => outputOf(statement.value, this.scope));
      case 'comment':
        return [];
      case 'raw':
        return [{ kind: 'text', text: statement.text }];
      case 'broken':
        return null;
      case 'foreign':
        return this.attempt(statement, () =>
          unconvertible(`the tag “${statement.name}” has no equivalent in NLT`),
        );
      default:
        return this.piecesOfTag(statement);
    }
  }

  private piecesOfTag(tag: GroupTag): Pieces | null {
    const { group } = tag;
    if (tag.kind === 'if') {
      this.depths.set(group, this.scope.depth);
      if (group.isComplete) this.convertIf(group);
    } else if (tag.kind === 'for') {
      this.depths.set(group, this.scope.depth);
      this.convertFor(group, tag.head);
    } else if (tag.kind === 'end' || (tag.kind === 'else' && group.kind === 'for')) {
      this.scope.truncateTo(this.depths.get(group) ?? 0);
    }
    return this.tagPieces.get(tag) ?? null;
  }

  private convertIf(group: JinjaGroup): void {
    const pieces = group.tags.map((tag) => this.attempt(tag, () => this.tagOfIf(tag)));
    if (pieces.includes(null)) return;
    group.tags.forEach((tag, index) => this.tagPieces.set(tag, pieces[index] ?? []));
  }

  private tagOfIf(tag: GroupTag): Pieces {
    if (tag.kind === 'else') return [ELSE];
    if ((tag.kind !== 'if' && tag.kind !== 'elif') || tag.condition === null) return [END_IF];
    const condition = conditionOf(tag.condition, this.scope);
    return [tag.kind === 'if' ? ifTag(condition) : elseIfTag(condition)];
  }

  private convertFor(group: JinjaGroup, head: LoopHead | null): void {
    const [opening] = group.tags;
    const depth = this.scope.depth;
    const converted =
      group.isComplete && head !== null && opening !== undefined
        ? this.attempt(opening, () => this.tagsOfFor(group, head))
        : null;
    if (converted !== null) {
      group.tags.forEach((tag, index) => this.tagPieces.set(tag, converted[index] ?? []));
    } else if (depth <= MAX_DEPTH) {
      this.scope.truncateTo(depth);
      for (const variable of head?.variables.slice(0, MAX_DEPTH) ?? []) this.scope.push(variable, null);
    }
  }

  /** The pieces of each tag of a loop; its variable is in scope afterwards. */
  private tagsOfFor(group: JinjaGroup, head: LoopHead): readonly Pieces[] {
    const [variable, second] = head.variables;
    const hasElse = group.tags.length > 2;
    if (variable === undefined || second !== undefined) return unconvertible('an NLT loop has one variable');
    if (head.recursive) unconvertible('NLT has no recursive loops');
    const list = pipedOf(head.list, this.scope);
    if (list.value.kind !== 'reference') unconvertible('an NLT loop needs a named list');
    const opening = forTag(this.scope.nameFor(variable), list);
    const isEmpty: NltPiece = ifTag({ kind: 'unary', negated: false, left: list, operator: 'is empty' });
    this.scope.push(variable, this.scope.nameFor(variable));
    if (head.condition === null) {
      return hasElse ? [[opening], [END_FOR, isEmpty], [END_IF]] : [[opening], [END_FOR]];
    }
    if (hasElse) return unconvertible('NLT has no “else” in a loop with a condition');
    return [
      [opening, ifTag(conditionOf(head.condition, this.scope))],
      [END_IF, END_FOR],
    ];
  }

  /** The result of `convert`; null, with its reason recorded, if NLT has no counterpart for the block. */
  private attempt<Result>({ start, end }: JinjaStatement, convert: () => Result): Result | null {
    try {
      return convert();
    } catch (error) {
      if (!(error instanceof UnconvertibleError)) throw error;
      if (this.unconverted.length < MAX_ERRORS) this.unconverted.push({ reason: error.message, start, end });
      return null;
    }
  }
}
