/**
 * Protects the Jinja2 in a template that is converted to Jinja2 (specification section 4.3: convert): it stays as
 * written, and the surrounding NLT is converted with its names in scope.
 *
 * Edge cases:
 * - While NLT is parsed, a mark replaces the braces of Jinja2, so that none of it is parsed as NLT. Its first brace
 *   stays: it prevents unclosed NLT from continuing into it.
 * - The loops of Jinja2 are in scope of the NLT inside them; at most MAX_DEPTH of their variables are known.
 */
import { MAX_DEPTH } from '../nlt/limits.js';
import { Scanner, type ScannedBlock } from './jinja-scanner.js';
import { MappedText } from './mapped-text.js';
import type { Loop } from './nlt-to-jinja-values.js';

type JinjaBlock = Exclude<ScannedBlock, { readonly kind: 'nlt' }>;

/** A block of Jinja2; `loopVariables` are the variables of a loop that starts with it. */
interface JinjaSpan {
  readonly start: number;
  readonly end: number;
  readonly loopVariables: readonly string[] | null;
  readonly closesLoop: boolean;
}

/** A part of a text; `isJinja`: Jinja2 that stays as written. */
export interface TextPart {
  readonly text: string;
  readonly isJinja: boolean;
}

/** Tracks the Jinja2 of one source. Positions must be queried in the order of the source. */
export class PreservedJinja {
  /** Every name that occurs in the Jinja2. */
  readonly names: ReadonlySet<string>;
  private readonly text: MappedText;
  private readonly spans: readonly JinjaSpan[];
  private nextLoopSpan = 0;
  private nextTextSpan = 0;
  private readonly loops: Loop[] = [];
  /** The number of variables that each open loop has added. */
  private readonly addedCounts: number[] = [];

  constructor(private readonly source: string) {
    const names = new Set<string>();
    const spans: JinjaSpan[] = [];
    this.text = new MappedText(source);
    let copiedUntil = 0;
    for (const block of new Scanner(source, null).blocks()) {
      if (block.kind === 'nlt') continue;
      const { start, end } = block;
      this.text.addCopy(copiedUntil, start + 1, 'plain');
      this.text.addCopy(start + 1, end, 'masked');
      copiedUntil = end;
      if ('tokens' in block) for (const { kind, text } of block.tokens) if (kind === 'name') names.add(text);
      spans.push({ start, end, loopVariables: variablesOf(block), closesLoop: isTag(block, 'endfor') });
    }
    this.text.addCopy(copiedUntil, source.length, 'plain');
    this.spans = spans;
    this.names = names;
  }

  /** The source with its Jinja2 masked; all offsets are those of the source. */
  get masked(): string {
    return this.text.content;
  }

  /** A part of the masked source as originally written. */
  unmasked(text: string): string {
    return this.text.unmasked(text);
  }

  /** The loops of Jinja2 around `offset`, outermost first. */
  loopsAt(offset: number): readonly Loop[] {
    let span = this.spans[this.nextLoopSpan];
    while (span !== undefined && span.start < offset) {
      if (span.loopVariables !== null) this.open(span.loopVariables);
      if (span.closesLoop) this.loops.length -= this.addedCounts.pop() ?? 0;
      span = this.spans[++this.nextLoopSpan];
    }
    return this.loops;
  }

  private open(variables: readonly string[]): void {
    const known = variables.slice(0, MAX_DEPTH - this.loops.length);
    this.loops.push(...known.map((name) => ({ name, variable: name })));
    this.addedCounts.push(known.length);
  }

  /** The text from `start` to `end`, split where Jinja2 starts and ends. */
  partsOf(start: number, end: number): readonly TextPart[] {
    const parts: TextPart[] = [];
    let copiedUntil = start;
    let span = this.spans[this.nextTextSpan];
    while (span !== undefined && span.start < end) {
      if (span.start >= start) {
        parts.push({ text: this.source.slice(copiedUntil, span.start), isJinja: false });
        parts.push({ text: this.source.slice(span.start, span.end), isJinja: true });
        copiedUntil = span.end;
      }
      span = this.spans[++this.nextTextSpan];
    }
    parts.push({ text: this.source.slice(copiedUntil, end), isJinja: false });
    return parts.filter(({ text }) => text !== '');
  }
}

function isTag(block: JinjaBlock, name: string): boolean {
  return block.kind === 'tag' && block.tokens[0]?.kind === 'name' && block.tokens[0].text === name;
}

function variablesOf(block: JinjaBlock): readonly string[] | null {
  if (!isTag(block, 'for') || block.kind !== 'tag') return null;
  const until = block.tokens.findIndex(({ kind, text }) => kind === 'name' && text === 'in');
  const head = block.tokens.slice(1, Math.max(until, 1));
  return head.flatMap(({ kind, text }) => (kind === 'name' ? [text] : []));
}
