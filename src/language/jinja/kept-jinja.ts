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

/** A block of Jinja2; `opens` are the variables of a loop that starts with it. */
interface Place {
  readonly start: number;
  readonly end: number;
  readonly opens: readonly string[] | null;
  readonly closes: boolean;
}

/** A part of a text; `kept`: Jinja2 that stays as written. */
export interface TextPart {
  readonly text: string;
  readonly kept: boolean;
}

/** Tracks the Jinja2 of one source. Positions must be queried in the order of the source. */
export class KeptJinja {
  /** Every name that occurs in the Jinja2. */
  readonly names: ReadonlySet<string>;
  private readonly text: MappedText;
  private readonly places: readonly Place[];
  private nextOfLoops = 0;
  private nextOfText = 0;
  private readonly loops: Loop[] = [];
  /** The number of variables that each open loop has added. */
  private readonly added: number[] = [];

  constructor(private readonly source: string) {
    const names = new Set<string>();
    const places: Place[] = [];
    this.text = new MappedText(source);
    let done = 0;
    for (const block of new Scanner(source, null).blocks()) {
      if (block.kind === 'nlt') continue;
      const { start, end } = block;
      this.text.addCopy(done, start + 1, 'plain');
      this.text.addCopy(start + 1, end, 'masked');
      done = end;
      if ('tokens' in block) for (const { kind, text } of block.tokens) if (kind === 'name') names.add(text);
      places.push({ start, end, opens: variablesOf(block), closes: isTag(block, 'endfor') });
    }
    this.text.addCopy(done, source.length, 'plain');
    this.places = places;
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
    let place = this.places[this.nextOfLoops];
    while (place !== undefined && place.start < offset) {
      if (place.opens !== null) this.open(place.opens);
      if (place.closes) this.loops.length -= this.added.pop() ?? 0;
      place = this.places[++this.nextOfLoops];
    }
    return this.loops;
  }

  private open(variables: readonly string[]): void {
    const known = variables.slice(0, MAX_DEPTH - this.loops.length);
    this.loops.push(...known.map((name) => ({ name, variable: name })));
    this.added.push(known.length);
  }

  /** The text from `start` to `end`, split where Jinja2 starts and ends. */
  partsOf(start: number, end: number): readonly TextPart[] {
    const parts: TextPart[] = [];
    let done = start;
    let place = this.places[this.nextOfText];
    while (place !== undefined && place.start < end) {
      if (place.start >= start) {
        parts.push({ text: this.source.slice(done, place.start), kept: false });
        parts.push({ text: this.source.slice(place.start, place.end), kept: true });
        done = place.end;
      }
      place = this.places[++this.nextOfText];
    }
    parts.push({ text: this.source.slice(done, end), kept: false });
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
