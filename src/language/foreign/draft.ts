/**
 * The NLT that a foreign template is becoming, part by part in the order of the source. What cannot be converted is
 * replaced by a placeholder in guillemets, which validation reports and no message may hold: so nothing is ever sent
 * that says less or more than the foreign template did.
 *
 * Dark corners:
 * - A condition or loop is converted with all of its tags or not at all; what is inside is converted either way.
 * - A link whose address the footer gives, or Waypost has not, goes with its words: a link to nowhere would be worse.
 *   Where its element is not found, or a condition begins in it and ends outside, its address is a placeholder.
 * - Text stays text: a brace that would begin an expression becomes an entity, one before `{`, `%` or `#` gets a space.
 */
import { MAX_DEPTH } from '../nlt/limits.js';
import { SourceLines } from '../nlt/source-lines.js';
import { Tokenizer } from '../nlt/tokenizer.js';
import { LONGEST_ORIGINAL, MAX_FOREIGN_OUTPUT, MAX_FOREIGN_WARNINGS } from './foreign-limits.js';
import type {
  ForeignField,
  ForeignText,
  ForeignWarning,
  ForeignWarningCode,
  Piece,
} from './foreign-source.js';
import { linkAround, placeholderOf } from './stand-ins.js';
import { unfit } from './unfit.js';

const TOO_LONG = 'The converted template is too long.';

/** `text` is shown as it is, `nlt` read as NLT, `gap` a placeholder. */
interface Part {
  readonly start: number;
  readonly end: number;
  kind: 'text' | 'nlt' | 'gap';
  content: string;
  group: Group | null;
}

/** A condition or loop: the parts of its tags so far. */
export class Group {
  readonly parts: Part[] = [];
  /** Whether its tags stay what they were, as placeholders. */
  broken = false;
}

interface LeftOut {
  readonly start: number;
  readonly end: number;
  readonly part: Part;
}

interface Note {
  readonly start: number;
  readonly end: number;
  readonly code: ForeignWarningCode;
  readonly message: string;
}

export class Draft {
  private readonly parts: Part[] = [];
  private readonly groups = new Set<Group>();
  private readonly notes: Note[] = [];
  private readonly leftOut: LeftOut[] = [];
  /** Runs of parts that are taken out: where one begins, and the index behind it. */
  private readonly dropped = new Map<number, number>();
  private depth = 0;
  private deepest = 0;
  /** Characters that blocks have become. */
  private written = 0;

  constructor(
    readonly source: string,
    private readonly field: ForeignField,
  ) {}

  /** How many parts there are so far. */
  get length(): number {
    return this.parts.length;
  }

  /** How many conditions and loops are open. */
  get nesting(): number {
    return this.depth;
  }

  /** The source from `start` to `end`, which is text. */
  copy(start: number, end: number): void {
    if (end > start) this.add(start, end, 'text', this.source.slice(start, end));
  }

  /** What the block from `start` to `end` becomes. @throws Unfit if all of them became too long */
  put(start: number, end: number, pieces: readonly Piece[]): void {
    if (!this.affords(pieces.reduce((sum, { text }) => sum + text.length, 0)))
      unfit(TOO_LONG, 'beyond_bounds');
    for (const { kind, text } of pieces) this.add(start, end, kind, text);
  }

  /** A block without a counterpart: a placeholder and a warning. */
  refuse(start: number, end: number, code: ForeignWarningCode, message: string): void {
    this.add(start, end, 'gap', placeholderOf(this.source.slice(start, end)));
    this.warn(start, end, code, message);
  }

  warn(start: number, end: number, code: ForeignWarningCode, message: string): void {
    const note = { start, end, code, message };
    if (this.notes.length < MAX_FOREIGN_WARNINGS) this.notes.push(note);
    // What is nearly the same makes room for what is not the same at all.
    else if (code !== 'approximated') {
      const lesser = this.notes.findLastIndex((kept) => kept.code === 'approximated');
      if (lesser >= 0) this.notes[lesser] = note;
    }
  }

  /** Takes out a block that is no part of what a message says; `isLink`: with the link that it is the address of. */
  leaveOut(start: number, end: number, code: 'given_by_footer' | 'left_out', message: string): void {
    const link = linkAround(this.source, start, end);
    if (link === 'outside') {
      this.warn(start, end, code, `${message} It is left out.`);
    } else if (link === null) {
      this.refuse(start, end, 'no_counterpart', `${message} It cannot be left out here.`);
    } else {
      const part = this.add(start, end, 'text', '');
      this.leftOut.push({ ...link, part });
      this.warn(start, end, code, `${message} It is left out together with its link and link text.`);
    }
  }

  /** Begins a condition or loop; too deep a one is broken. */
  open(start: number, end: number): Group {
    const group = new Group();
    this.groups.add(group);
    this.depth++;
    this.deepest = Math.max(this.deepest, Math.min(this.depth, MAX_DEPTH));
    if (this.depth > MAX_DEPTH) {
      group.broken = true;
      if (this.depth === MAX_DEPTH + 1) {
        const message = `Conditions and loops are nested deeper than ${MAX_DEPTH}.`;
        this.warn(start, end, 'beyond_bounds', message);
      }
    }
    return group;
  }

  /** A tag of `group`; null: it has no counterpart, for the reason given, and neither has the group. */
  tag(group: Group, start: number, end: number, nlt: string | null): void {
    const isTooLong = !this.affords(nlt?.length ?? 0);
    if (isTooLong) this.warn(start, end, 'beyond_bounds', TOO_LONG);
    if (nlt === null || isTooLong) group.broken = true;
    const part = this.add(start, end, 'nlt', isTooLong ? '' : (nlt ?? ''));
    part.group = group;
    group.parts.push(part);
  }

  /** Ends the group behind its last tag. */
  close(group: Group): void {
    this.depth--;
    if (group.broken) this.breakUp(group);
  }

  /** Ends a group whose end is missing. */
  abandon(group: Group, what: string): void {
    const [first] = group.parts;
    if (first !== undefined && !group.broken)
      this.warn(first.start, first.end, 'unreadable', `This ${what} is not closed.`);
    group.broken = true;
    this.close(group);
  }

  /** Takes out the parts from index `from` to index `to`, which are never shown, and what was said of them. */
  drop(from: number, to: number): void {
    const [first, last] = [this.parts[from], this.parts[to - 1]];
    if (first === undefined || last === undefined) return;
    for (let index = from; index < to; index = this.dropped.get(index) ?? index + 1) {
      const part = this.parts[index];
      if (part !== undefined) [part.kind, part.content] = ['text', ''];
    }
    if (from < to) this.dropped.set(from, to);
    const kept = this.notes.filter(({ start }) => start < first.start || start >= last.end);
    this.notes.splice(0, this.notes.length, ...kept);
    const firstLink = this.leftOut.findLastIndex(({ part }) => part.start < first.start) + 1;
    const links = this.leftOut.splice(firstLink).filter(({ part }) => part.start >= last.end);
    for (const link of links) this.leftOut.push(link);
  }

  finish(): ForeignText {
    this.takeOutLinks();
    const content: string[] = [];
    let text = '';
    let at = 0;
    for (const part of this.parts) {
      if (part.content === '') continue;
      if (part.kind === 'text') {
        if (text === '') at = part.start;
        text += part.content;
      } else {
        content.push(this.asText(text, at, part.kind === 'nlt'), part.content);
        text = '';
      }
    }
    content.push(this.asText(text, at, false));
    const pieces = this.parts
      .filter((part) => part.content !== '')
      .map((part): Piece => ({ kind: part.kind === 'nlt' ? 'nlt' : 'text', text: part.content }));
    return { content: content.join(''), pieces, depth: this.deepest, warnings: this.warnings() };
  }

  /** Whether blocks may become so much more; if so, it counts. */
  private affords(characters: number): boolean {
    const isFit = this.written + characters <= MAX_FOREIGN_OUTPUT;
    if (isFit) this.written += characters;
    return isFit;
  }

  private add(start: number, end: number, kind: Part['kind'], content: string): Part {
    const part: Part = { start, end, kind, content, group: null };
    this.parts.push(part);
    return part;
  }

  private breakUp(group: Group): void {
    for (const part of group.parts) {
      part.kind = 'gap';
      part.content = placeholderOf(this.source.slice(part.start, part.end));
    }
  }

  /** Cuts the elements of links that are left out; the parts and the links are both in the order of the source. */
  private takeOutLinks(): void {
    let index = 0;
    let done = 0;
    for (const { start, end, part } of this.leftOut) {
      if (start < done) continue;
      while ((this.parts[index]?.end ?? end) <= start) index++;
      const inside: Part[] = [];
      for (let next = index; (this.parts[next]?.start ?? end) < end; next++) {
        const found = this.parts[next];
        if (found !== undefined) inside.push(found);
      }
      done = end;
      if (cutsThroughGroup(inside)) {
        [part.kind, part.content] = ['gap', placeholderOf(this.source.slice(part.start, part.end))];
      } else {
        for (const found of inside) cut(found, start, end);
      }
    }
  }

  /** Text that NLT and Jinja2 read as text. */
  private asText(text: string, at: number, beforeNlt: boolean): string {
    if (!text.includes('{')) return text;
    const tokenizer = new Tokenizer(text);
    const pieces: string[] = [];
    let done = 0;
    for (let brace = text.indexOf('{'); brace >= 0; brace = text.indexOf('{', brace + 1)) {
      const next = text[brace + 1];
      const isLast = next === undefined && beforeNlt;
      const opens = isLast || next === '{' || next === '%' || next === '#';
      const isNlt = !opens && tokenizer.readBlock(brace).kind !== 'text';
      if (isNlt || opens) {
        pieces.push(text.slice(done, brace), isNlt ? this.brace : '{ ');
        done = brace + 1;
      }
      if (isNlt || next === '{' || next === '%') {
        const start = Math.min(at + brace, this.source.length);
        const message = 'This text would be read as an expression, so its brace is escaped.';
        this.warn(start, start + 2, 'kept_as_text', message);
      }
    }
    pieces.push(text.slice(done));
    return pieces.join('');
  }

  /** A subject has no entities: there a sign that looks like a brace is nearest. */
  private get brace(): string {
    return this.field === 'body' ? '&#123;' : '\uff5b';
  }

  private warnings(): ForeignWarning[] {
    const lines = new SourceLines(this.source);
    const sorted = [...this.notes].sort((a, b) => a.start - b.start);
    return sorted.map(({ start, end, code, message }) => {
      const { line, column, offset } = lines.positionOf(start);
      const isLong = end - start > LONGEST_ORIGINAL;
      const original = this.source.slice(start, isLong ? start + LONGEST_ORIGINAL : end);
      return {
        field: this.field,
        line,
        column,
        offset,
        code,
        message,
        original: isLong ? `${original}…` : original,
      };
    });
  }
}

/** Whether some of a group's tags are among the parts, and others are not. */
function cutsThroughGroup(parts: readonly Part[]): boolean {
  const counts = new Map<Group, number>();
  for (const { group } of parts) if (group !== null) counts.set(group, (counts.get(group) ?? 0) + 1);
  return [...counts].some(([group, count]) => count !== group.parts.length);
}

/** What is left of a part when the source from `start` to `end` goes. */
function cut(part: Part, start: number, end: number): void {
  const isCopy = part.kind === 'text' && part.content.length === part.end - part.start;
  const before = isCopy ? part.content.slice(0, Math.max(0, start - part.start)) : '';
  const behind = isCopy ? part.content.slice(Math.max(0, end - part.start)) : '';
  [part.kind, part.content] = ['text', part.end <= end && part.start >= start ? '' : before + behind];
}
