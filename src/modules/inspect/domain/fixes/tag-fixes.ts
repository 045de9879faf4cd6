/**
 * Fixes tags: closes them where a parser closes them silently, and removes closing tags that close nothing. A fix is
 * only used if it removes its errors in each possible message and causes no others.
 */
import { countUpTo } from '../../../../kernel/sorted.js';
import type { TemplateNode } from '../../../../language/language.js';
import { blankExpressions } from '../email/blanked-source.js';
import type { ParsedEmail } from '../email/parsed-email.js';
import { checkTagBalance, type TagFix } from '../email/tag-balance.js';
import type { RuleFinding, SourceEdit } from '../findings/finding.js';
import { applyEdits } from './apply-edits.js';

/** Maximum number of fixes that are tried per email: each try checks all its tags again. */
const MAX_ATTEMPTED_FIXES = 20;

/** The edits that fix tag errors, by `tagKey`. */
export function tagFixes(email: ParsedEmail): ReadonlyMap<string, readonly SourceEdit[]> {
  const { source, nodes } = email;
  const variants = [
    ...new Set((['first', 'last'] as const).map((branches) => blankExpressions(source, nodes, branches))),
  ];
  const bodies = new TemplateBodies(nodes, source);
  const fixes = new Map<string, readonly SourceEdit[]>();
  let attempted = 0;
  for (const variant of variants) {
    for (const fix of checkTagBalance(variant).fixes) {
      if (fix.edits.length === 0 || fixes.has(keyOf(fix)) || attempted++ >= MAX_ATTEMPTED_FIXES) continue;
      const limitedFix = bodies.limitToBody(fix);
      if (!limitedFix || !variants.every((each) => fixesErrors(each, limitedFix))) continue;
      for (const finding of limitedFix.findings) fixes.set(tagKey(finding), limitedFix.edits);
    }
  }
  return fixes;
}

export function tagKey({ rule, at, message }: Pick<RuleFinding, 'rule' | 'at' | 'message'>): string {
  return `${rule} ${typeof at === 'number' ? at : ''} ${message}`;
}

function keyOf({ findings: [first] }: TagFix): string {
  return first ? tagKey(first) : '';
}

/** A branch that does not contain the tags stays as it is. */
function fixesErrors(variant: string, { tags, findings, edits }: TagFix): boolean {
  if (!tags.every((tag) => variant[tag] === '<')) return true;
  const before = checkTagBalance(variant);
  const after = checkTagBalance(applyEdits(variant, edits));
  const known = new Set(before.findings.map(({ message }) => message));
  return (
    after.excess === null &&
    after.findings.length <= before.findings.length - findings.length &&
    after.findings.every(({ message }) => known.has(message))
  );
}

/** Finds the body of a condition or loop that contains a position. */
class TemplateBodies {
  /** By the beginning of a text in it. */
  private readonly texts: { readonly start: number; readonly body: number }[] = [];
  /** The end of each body, if known. */
  private readonly ends = new Map<number, number>();
  private count = 0;

  constructor(
    nodes: readonly TemplateNode[],
    private readonly source: string,
  ) {
    this.collect(nodes, 0);
  }

  /** The fix, limited to the one body that contains its tags; null if they are in several bodies. */
  limitToBody(fix: TagFix): TagFix | null {
    const [body, ...others] = new Set(fix.tags.map((tag) => this.at(tag)));
    if (body === undefined || others.length > 0) return null;
    const [first] = fix.edits;
    if (fix.edits.every(({ start }) => this.at(start) === body)) return fix;
    const end = this.ends.get(body);
    if (!first || fix.edits.length > 1 || end === undefined || first.start !== first.end) return null;
    return { ...fix, edits: [{ ...first, start: end, end }] };
  }

  private at(offset: number): number {
    if (offset >= this.source.length) return 0;
    return this.texts[countUpTo(this.texts, offset, ({ start }) => start) - 1]?.body ?? 0;
  }

  private collect(nodes: readonly TemplateNode[], body: number): void {
    for (const node of nodes) {
      if (node.kind === 'text') this.texts.push({ start: node.position.offset, body });
      else if (node.kind === 'for') this.collect(node.body, ++this.count);
      else if (node.kind === 'if') {
        for (const branch of node.branches) this.collect(branch.body, ++this.count);
        if (node.otherwise) this.collect(node.otherwise, ++this.count);
      }
    }
    const last = nodes.at(-1);
    if (last?.kind === 'output') this.ends.set(body, last.end);
    if (last?.kind === 'text' && this.source.startsWith(last.text, last.position.offset))
      this.ends.set(body, last.position.offset + last.text.trimEnd().length);
  }
}
