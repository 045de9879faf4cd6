/**
 * Collects the NLT of a foreign template, part by part in the order of the source. An expression that cannot be
 * converted becomes a placeholder in guillemets, which validation reports and which no message may contain: so no
 * message is sent that says less or more than the foreign template did.
 *
 * Edge cases:
 * - A condition or loop is converted with all of its tags or not at all; its content is converted either way.
 * - A link whose address the footer provides, or that Waypost does not have, is removed with its text: a link without a
 *   target would be worse. If its element is not found, or a condition starts inside it and ends outside, its address
 *   becomes a placeholder.
 * - Text stays text: a brace that would start an expression becomes an entity; one before `{`, `%` or `#` gets a space.
 */
import { MAX_DEPTH } from '../nlt/limits.js';
import { SourceLines } from '../nlt/source-lines.js';
import { Tokenizer } from '../nlt/tokenizer.js';
import { MAX_ORIGINAL_LENGTH, MAX_FOREIGN_OUTPUT, MAX_FOREIGN_WARNINGS } from './foreign-limits.js';
import type {
  ForeignField,
  ForeignText,
  ForeignWarning,
  ForeignWarningCode,
  Piece,
} from './foreign-source.js';
import { linkAround, placeholderOf } from './unconverted-blocks.js';
import { unsupported } from './unsupported.js';

const TOO_LONG = 'The converted template is too long.';

/** `text` is shown unchanged, `nlt` is parsed as NLT, `gap` is a placeholder. */
interface DraftPart {
  readonly start: number;
  readonly end: number;
  kind: 'text' | 'nlt' | 'gap';
  content: string;
  group: BlockGroup | null;
}

/** A condition or loop: the parts of its tags so far. */
export class BlockGroup {
  readonly parts: DraftPart[] = [];
  /** Whether its tags stay unconverted, as placeholders. */
  isUnconverted = false;
}

interface OmittedLink {
  readonly start: number;
  readonly end: number;
  readonly part: DraftPart;
}

interface PendingWarning {
  readonly start: number;
  readonly end: number;
  readonly code: ForeignWarningCode;
  readonly message: string;
}

export class Draft {
  private readonly parts: DraftPart[] = [];
  private readonly groups = new Set<BlockGroup>();
  private readonly pendingWarnings: PendingWarning[] = [];
  private readonly omittedLinks: OmittedLink[] = [];
  /** Ranges of removed parts: the index of the first one, mapped to the index after the last. */
  private readonly removedRanges = new Map<number, number>();
  private depth = 0;
  private maxDepth = 0;
  /** Characters written for blocks so far. */
  private written = 0;

  constructor(
    readonly source: string,
    private readonly field: ForeignField,
  ) {}

  /** The number of parts so far. */
  get length(): number {
    return this.parts.length;
  }

  /** The number of open conditions and loops. */
  get nesting(): number {
    return this.depth;
  }

  /** Copies the source from `start` to `end`, which is text. */
  copy(start: number, end: number): void {
    if (end > start) this.add(start, end, 'text', this.source.slice(start, end));
  }

  /** Adds the pieces that the block from `start` to `end` becomes. @throws Unfit if the total is too long */
  append(start: number, end: number, pieces: readonly Piece[]): void {
    if (!this.fitsOutput(pieces.reduce((sum, { text }) => sum + text.length, 0)))
      unsupported(TOO_LONG, 'beyond_bounds');
    for (const { kind, text } of pieces) this.add(start, end, kind, text);
  }

  /** Adds a placeholder and a warning for a block without a counterpart. */
  addPlaceholder(start: number, end: number, code: ForeignWarningCode, message: string): void {
    this.add(start, end, 'gap', placeholderOf(this.source.slice(start, end)));
    this.warn(start, end, code, message);
  }

  warn(start: number, end: number, code: ForeignWarningCode, message: string): void {
    const warning = { start, end, code, message };
    if (this.pendingWarnings.length < MAX_FOREIGN_WARNINGS) this.pendingWarnings.push(warning);
    // Warnings about approximations are discarded in favour of more severe ones.
    else if (code !== 'approximated') {
      const leastSevere = this.pendingWarnings.findLastIndex(
        (remaining) => remaining.code === 'approximated',
      );
      if (leastSevere >= 0) this.pendingWarnings[leastSevere] = warning;
    }
  }

  /** Removes a block that is not part of the message's content; `isLink`: with the link whose address it is. */
  omit(start: number, end: number, code: 'given_by_footer' | 'left_out', message: string): void {
    const link = linkAround(this.source, start, end);
    if (link === 'outside') {
      this.warn(start, end, code, `${message} It is left out.`);
    } else if (link === null) {
      this.addPlaceholder(start, end, 'no_counterpart', `${message} It cannot be left out here.`);
    } else {
      const part = this.add(start, end, 'text', '');
      this.omittedLinks.push({ ...link, part });
      this.warn(start, end, code, `${message} It is left out together with its link and link text.`);
    }
  }

  /** Opens a condition or loop; one nested too deep is broken. */
  open(start: number, end: number): BlockGroup {
    const group = new BlockGroup();
    this.groups.add(group);
    this.depth++;
    this.maxDepth = Math.max(this.maxDepth, Math.min(this.depth, MAX_DEPTH));
    if (this.depth > MAX_DEPTH) {
      group.isUnconverted = true;
      if (this.depth === MAX_DEPTH + 1) {
        const message = `Conditions and loops are nested deeper than ${MAX_DEPTH}.`;
        this.warn(start, end, 'beyond_bounds', message);
      }
    }
    return group;
  }

  /** Adds a tag of `group`; null means that it has no counterpart, for the given reason, which breaks the group. */
  tag(group: BlockGroup, start: number, end: number, nlt: string | null): void {
    const isTooLong = !this.fitsOutput(nlt?.length ?? 0);
    if (isTooLong) this.warn(start, end, 'beyond_bounds', TOO_LONG);
    if (nlt === null || isTooLong) group.isUnconverted = true;
    const part = this.add(start, end, 'nlt', isTooLong ? '' : (nlt ?? ''));
    part.group = group;
    group.parts.push(part);
  }

  /** Closes the group after its last tag. */
  close(group: BlockGroup): void {
    this.depth--;
    if (group.isUnconverted) this.replaceWithPlaceholders(group);
  }

  /** Closes a group whose end tag is missing. */
  abandon(group: BlockGroup, what: string): void {
    const [first] = group.parts;
    if (first !== undefined && !group.isUnconverted)
      this.warn(first.start, first.end, 'unreadable', `This ${what} is not closed.`);
    group.isUnconverted = true;
    this.close(group);
  }

  /** Removes the parts from index `from` to index `to`, which are never shown, and their warnings. */
  remove(from: number, to: number): void {
    const [first, last] = [this.parts[from], this.parts[to - 1]];
    if (first === undefined || last === undefined) return;
    for (let index = from; index < to; index = this.removedRanges.get(index) ?? index + 1) {
      const part = this.parts[index];
      if (part !== undefined) [part.kind, part.content] = ['text', ''];
    }
    if (from < to) this.removedRanges.set(from, to);
    const remaining = this.pendingWarnings.filter(({ start }) => start < first.start || start >= last.end);
    this.pendingWarnings.splice(0, this.pendingWarnings.length, ...remaining);
    const firstLink = this.omittedLinks.findLastIndex(({ part }) => part.start < first.start) + 1;
    const links = this.omittedLinks.splice(firstLink).filter(({ part }) => part.start >= last.end);
    for (const link of links) this.omittedLinks.push(link);
  }

  finish(): ForeignText {
    this.removeOmittedLinks();
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
    return { content: content.join(''), pieces, depth: this.maxDepth, warnings: this.warnings() };
  }

  /** Whether the output may grow by this many characters; if so, counts them. */
  private fitsOutput(characters: number): boolean {
    const fits = this.written + characters <= MAX_FOREIGN_OUTPUT;
    if (fits) this.written += characters;
    return fits;
  }

  private add(start: number, end: number, kind: DraftPart['kind'], content: string): DraftPart {
    const part: DraftPart = { start, end, kind, content, group: null };
    this.parts.push(part);
    return part;
  }

  private replaceWithPlaceholders(group: BlockGroup): void {
    for (const part of group.parts) {
      part.kind = 'gap';
      part.content = placeholderOf(this.source.slice(part.start, part.end));
    }
  }

  /** Removes the elements of links that are left out; parts and links are both in the order of the source. */
  private removeOmittedLinks(): void {
    let index = 0;
    let doneUntil = 0;
    for (const { start, end, part } of this.omittedLinks) {
      if (start < doneUntil) continue;
      while ((this.parts[index]?.end ?? end) <= start) index++;
      const inside: DraftPart[] = [];
      for (let next = index; (this.parts[next]?.start ?? end) < end; next++) {
        const found = this.parts[next];
        if (found !== undefined) inside.push(found);
      }
      doneUntil = end;
      if (splitsGroup(inside)) {
        [part.kind, part.content] = ['gap', placeholderOf(this.source.slice(part.start, part.end))];
      } else {
        for (const found of inside) removeRange(found, start, end);
      }
    }
  }

  /** Escapes text so that NLT and Jinja2 parse it as text. */
  private asText(text: string, at: number, beforeNlt: boolean): string {
    if (!text.includes('{')) return text;
    const tokenizer = new Tokenizer(text);
    const pieces: string[] = [];
    let doneUntil = 0;
    for (let brace = text.indexOf('{'); brace >= 0; brace = text.indexOf('{', brace + 1)) {
      const next = text[brace + 1];
      const isLast = next === undefined && beforeNlt;
      const opens = isLast || next === '{' || next === '%' || next === '#';
      const isNlt = !opens && tokenizer.readBlock(brace).kind !== 'text';
      if (isNlt || opens) {
        pieces.push(text.slice(doneUntil, brace), isNlt ? this.brace : '{ ');
        doneUntil = brace + 1;
      }
      if (isNlt || next === '{' || next === '%') {
        const start = Math.min(at + brace, this.source.length);
        const message = 'This text would be read as an expression, so its brace is escaped.';
        this.warn(start, start + 2, 'kept_as_text', message);
      }
    }
    pieces.push(text.slice(doneUntil));
    return pieces.join('');
  }

  /** A subject has no entities: a character that resembles a brace is the closest replacement. */
  private get brace(): string {
    return this.field === 'body' ? '&#123;' : '\uff5b';
  }

  private warnings(): ForeignWarning[] {
    const lines = new SourceLines(this.source);
    const sorted = [...this.pendingWarnings].sort((a, b) => a.start - b.start);
    return sorted.map(({ start, end, code, message }) => {
      const { line, column, offset } = lines.positionOf(start);
      const isLong = end - start > MAX_ORIGINAL_LENGTH;
      const original = this.source.slice(start, isLong ? start + MAX_ORIGINAL_LENGTH : end);
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
function splitsGroup(parts: readonly DraftPart[]): boolean {
  const counts = new Map<BlockGroup, number>();
  for (const { group } of parts) if (group !== null) counts.set(group, (counts.get(group) ?? 0) + 1);
  return [...counts].some(([group, count]) => count !== group.parts.length);
}

/** The rest of a part if the source from `start` to `end` is removed. */
function removeRange(part: DraftPart, start: number, end: number): void {
  const isCopy = part.kind === 'text' && part.content.length === part.end - part.start;
  const before = isCopy ? part.content.slice(0, Math.max(0, start - part.start)) : '';
  const after = isCopy ? part.content.slice(Math.max(0, end - part.start)) : '';
  [part.kind, part.content] = ['text', part.end <= end && part.start >= start ? '' : before + after];
}
