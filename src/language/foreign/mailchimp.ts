/**
 * Converts Mailchimp's merge tags.
 *
 * Edge cases:
 * - `*|IFNOT:ARCHIVE_PAGE|*` is true in every mail, `*|IF:REWARDS|*` in none: such a condition is removed, together
 *   with content that is never shown.
 * - `*|MC:SUBJECT|*` in a body is the converted subject, with its placeholders; without a subject it is removed.
 * - The defaults of merge fields belong to the audience, not to the template: an empty field shows nothing.
 */
import { escapeHtml } from '../../kernel/escape-html.js';
import { MAX_DEPTH } from '../nlt/limits.js';
import { Draft, type BlockGroup } from './draft.js';
import { MAX_FOREIGN_BLOCKS } from './foreign-limits.js';
import type { ForeignField, ForeignText, Piece } from './foreign-source.js';
import { editorMarksIn, type MergeTag, mergeTagsIn } from './mailchimp-scanner.js';
import { mergeConditionOf, mergeTagOf } from './mailchimp-tags.js';
import { conditionTag } from './nlt-tags.js';
import { UnsupportedError, unsupported } from './unsupported.js';

/** An open condition. `constant`: its result is always the same. */
interface OpenCondition {
  readonly group: BlockGroup;
  readonly constant: boolean | null;
  /** The number of parts after its head, and before its `ELSE`. */
  readonly firstPart: number;
  elsePart: number | null;
}

/**
 * Converts one text of a Mailchimp template; in linear time. Never throws.
 * @param subject the converted subject of a body, if it has one.
 */
export function convertMailchimp(
  source: string,
  field: ForeignField,
  subject: ForeignText | null,
): ForeignText {
  return new MailchimpConverter(source, field, subject).convert();
}

class MailchimpConverter {
  private readonly draft: Draft;
  private readonly open: OpenCondition[] = [];
  private copiedUntil = 0;
  private firstMark: { readonly start: number; readonly end: number } | null = null;
  private marks = 0;

  constructor(
    private readonly source: string,
    private readonly field: ForeignField,
    private readonly subject: ForeignText | null,
  ) {
    this.draft = new Draft(source, field);
  }

  convert(): ForeignText {
    let count = 0;
    for (const tag of mergeTagsIn(this.source)) {
      this.copyTo(tag.start);
      this.copiedUntil = tag.end;
      if (++count > MAX_FOREIGN_BLOCKS) {
        const message = `Only the first ${MAX_FOREIGN_BLOCKS} merge tags are converted.`;
        this.draft.addPlaceholder(tag.start, tag.end, 'beyond_bounds', message);
        break;
      }
      this.convertTag(tag);
    }
    this.copyTo(this.source.length);
    for (let last = this.open.pop(); last !== undefined; last = this.open.pop())
      this.draft.abandon(last.group, 'condition');
    if (this.firstMark !== null) {
      const message = `Waypost has no editable regions of this kind: ${this.marks} Mailchimp editor marks are left out.`;
      this.draft.warn(this.firstMark.start, this.firstMark.end, 'left_out', message);
    }
    return this.draft.finish();
  }

  /** Copies text up to `end`, without the editor's marks. */
  private copyTo(end: number): void {
    const text = this.source.slice(this.copiedUntil, end);
    const marks = this.field === 'body' && text.includes('mc:') ? editorMarksIn(text) : [];
    let from = this.copiedUntil;
    for (const mark of marks) {
      const start = this.copiedUntil + mark.start;
      this.draft.copy(from, start);
      from = this.copiedUntil + mark.end;
      this.marks++;
      this.firstMark ??= { start: start + 1, end: from };
    }
    this.draft.copy(from, end);
  }

  private convertTag(tag: MergeTag): void {
    const { start, end, inner } = tag;
    try {
      this.readTag(tag, /^([a-z]+)(?::([^]*))?$/i.exec(inner));
    } catch (error) {
      if (!(error instanceof UnsupportedError)) throw error;
      const { code, message } = error;
      if (code === 'given_by_footer' || code === 'left_out') this.draft.omit(start, end, code, message);
      else this.draft.addPlaceholder(start, end, code, message);
    }
  }

  private readTag(tag: MergeTag, keyword: RegExpExecArray | null): void {
    const { start, end, inner } = tag;
    const [, word = '', rest] = keyword ?? [];
    switch (word.toUpperCase()) {
      case 'IF':
      case 'IFNOT':
        if (rest !== undefined) return this.openCondition(tag, rest, word.length > 2);
        break;
      case 'ELSEIF':
        if (rest !== undefined) return this.elseIf(tag, rest);
        break;
      case 'ELSE':
        return this.otherwise(tag);
      case 'ENDIF':
        return this.end(tag);
      case 'END':
        if (rest?.trim().toUpperCase() === 'IF') return this.end(tag);
        break;
      default:
    }
    if (this.subject !== null && inner.toUpperCase() === 'MC:SUBJECT')
      return this.showSubject(tag, this.subject);
    const { pieces, note } = mergeTagOf(inner);
    this.draft.append(start, end, pieces);
    if (note !== null) this.draft.warn(start, end, 'approximated', note);
  }

  private showSubject({ start, end }: MergeTag, { pieces, depth }: ForeignText): void {
    if (this.draft.nesting + depth > MAX_DEPTH)
      unsupported('The conditions of the subject would be nested too deeply here.', 'beyond_bounds');
    const asHtml = ({ kind, text }: Piece): Piece => ({
      kind,
      text: kind === 'text' ? escapeHtml(text) : text,
    });
    this.draft.append(start, end, pieces.map(asHtml));
  }

  private openCondition({ start, end }: MergeTag, written: string, negated: boolean): void {
    const group = this.draft.open(start, end);
    const condition = this.convertOrWarn(start, end, () => mergeConditionOf(written, negated));
    const constant = typeof condition === 'boolean' ? condition : null;
    const nlt =
      condition === null || typeof condition === 'boolean' ? '' : this.ifTag('if', start, end, condition);
    this.draft.tag(group, start, end, condition === null ? null : nlt);
    this.open.push({ group, constant, firstPart: this.draft.length, elsePart: null });
  }

  private ifTag(
    kind: 'if' | 'else if',
    start: number,
    end: number,
    condition: Parameters<typeof conditionTag>[1],
  ): string | null {
    return this.convertOrWarn(start, end, () => conditionTag(kind, condition));
  }

  /** The result of `convert`; null, with a warning, if it is unfit. */
  private convertOrWarn<Result>(start: number, end: number, convert: () => Result): Result | null {
    try {
      return convert();
    } catch (error) {
      if (!(error instanceof UnsupportedError)) throw error;
      const isLink = error.code === 'given_by_footer' || error.code === 'left_out';
      this.draft.warn(start, end, isLink ? 'no_counterpart' : error.code, error.message);
      return null;
    }
  }

  private elseIf({ start, end }: MergeTag, written: string): void {
    const open = this.innermost('ELSEIF');
    const condition = this.convertOrWarn(start, end, () => {
      const parsed = mergeConditionOf(written, false);
      if (typeof parsed === 'boolean' || open.constant !== null)
        return unsupported('A condition with a constant result cannot be one of several.');
      return conditionTag('else if', parsed);
    });
    this.draft.tag(open.group, start, end, condition);
  }

  private otherwise({ start, end }: MergeTag): void {
    const open = this.innermost('ELSE');
    this.draft.tag(open.group, start, end, open.constant === null ? '{else}' : '');
    open.elsePart = this.draft.length;
  }

  private innermost(word: string): OpenCondition {
    const open = this.open.at(-1);
    if (open === undefined || open.elsePart !== null)
      return unsupported(`“${word}” is not inside a condition that it could belong to.`, 'unreadable');
    return open;
  }

  private end({ start, end }: MergeTag): void {
    const open = this.open.pop();
    if (open === undefined) return unsupported('This closes nothing that is open.', 'unreadable');
    const { group, constant, firstPart: firstPart, elsePart } = open;
    const last = this.draft.length;
    this.draft.tag(group, start, end, constant === null ? '{end if}' : '');
    this.draft.close(group);
    if (constant === null || group.isUnconverted) return;
    if (constant) {
      if (elsePart !== null) this.draft.remove(elsePart, last);
    } else {
      this.draft.remove(firstPart, elsePart ?? last);
    }
  }
}
