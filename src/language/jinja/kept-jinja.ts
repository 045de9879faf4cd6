/**
 * The Jinja2 that stands among NLT when a template is converted to Jinja2 (specification section 4.3: convert): it
 * stays as written, and the NLT around it is converted with regard to it.
 *
 * Dark corners:
 * - While NLT is read, Jinja2 has a mark instead of its braces, so that nothing in it is taken for NLT. Its first
 *   brace stays: it keeps NLT that is never closed from reading on into it.
 * - The loops of Jinja2 are in sight of the NLT inside of them; at most MAX_DEPTH of their variables are known.
 */
import { MAX_DEPTH } from '../nlt/limits.js';
import { Scanner, type ScannedBlock } from './jinja-scanner.js';
import { MappedText } from './mapped-text.js';
import type { Loop } from './nlt-to-jinja-values.js';

type JinjaBlock = Exclude<ScannedBlock, { readonly kind: 'nlt' }>;

/** A block of Jinja2; `opens` are the variables of a loop that begins with it. */
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

/** Knows the Jinja2 of one source. Places are asked for in the order of the source. */
export class KeptJinja {
  /** Every name that the Jinja2 holds. */
  readonly names: ReadonlySet<string>;
  private readonly text: MappedText;
  private readonly places: readonly Place[];
  private nextOfLoops = 0;
  private nextOfText = 0;
  private readonly loops: Loop[] = [];
  /** How many variables each open loop has added. */
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

  /** The source with its Jinja2 masked; every place in it is the same as in the source. */
  get masked(): string {
    return this.text.content;
  }

  /** A part of the masked source as it was written. */
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

  /** The text from `start` to `end`, cut where Jinja2 begins and ends. */
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
