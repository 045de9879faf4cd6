/**
 * Tracks the static text of one address (a link, an image, a CSS `url()`) up to each value in it, as the URL standard
 * parses addresses: which part a value is in, whether the scheme is already known, and whether the template's own
 * scheme executes what follows.
 *
 * Edge case: a colon of the template can turn the values before it into a scheme (`{the x}:`, `javas{the x}:`). The
 * values learn this through their `Lookahead`, which they received before the colon was read.
 */

/** What a value learns about the static text after it, once the whole template has been processed. */
export interface Lookahead {
  /** Whether a colon of the template may make the value a part of a scheme. */
  joinsScheme: boolean;
}

/**
 * `start`: nothing precedes; `slash`: one slash precedes; `query`: after `?` or `#`; `reference`: after `&#` or
 * similar, which the value would complete to a character; `path`: anywhere else.
 */
export type AddressPart = 'start' | 'slash' | 'path' | 'query' | 'reference';

/** Address prefixes that execute what follows. The data of an image executes nothing. */
const EXECUTABLE_PREFIXES = ['javascript:', 'vbscript:', 'data:'];
const IMAGE_DATA_PREFIX = /^data:image\/(?:png|gif|jpe?g|webp)[;,]$/;
/** Longer than the prefix of every image address. */
const MAX_PREFIX_LENGTH = 20;

/** No real address has this many values before its scheme is known. */
const MAX_LOOKAHEADS = 64;

/** One possible state of an address at a point between two pieces. */
export class AddressState {
  part: AddressPart = 'start';
  /** Whether the preceding static text determines the scheme, so that a colon is harmless. */
  isAnchored = false;
  /** The static text while it may still become, or be, a prefix that executes code; null once it cannot. */
  private prefix: string | null = '';
  private lookaheads: ReadonlySet<Lookahead> = new Set();
  /** Whether only values precede, which may all be empty. */
  private isAllValues = false;

  copy(): AddressState {
    return Object.assign(new AddressState(), this);
  }

  /** Equal for states that behave the same from here on. */
  get key(): string {
    return `${this.part} ${this.isAllValues} ${this.isAnchored} ${this.prefix ?? '-'}`;
  }

  /** Whether the template's own scheme executes the text of a value here. */
  get isExecuted(): boolean {
    return this.prefix !== null && EXECUTABLE_PREFIXES.some((scheme) => this.prefix?.startsWith(scheme));
  }

  /** Merges `other`, which has the same key, into this state. */
  merge(other: AddressState): void {
    if (other.lookaheads !== this.lookaheads) this.setLookaheads([...this.lookaheads, ...other.lookaheads]);
  }

  /** Records a value of unknown text at this position; it may be empty. */
  passValue(lookahead: Lookahead): void {
    if (this.part === 'start') {
      this.part = 'path';
      this.isAllValues = true;
    }
    if (!this.isAnchored && !this.lookaheads.has(lookahead))
      this.setLookaheads([...this.lookaheads, lookahead]);
  }

  /** Marks the values so far as a part of the scheme. */
  markAsScheme(): void {
    for (const lookahead of this.lookaheads) lookahead.joinsScheme = true;
  }

  /** Processes one character, already decoded from HTML and CSS. */
  pass(character: string): void {
    const isIgnored = /[\t\n\r]/.test(character) || (this.part === 'start' && character <= ' ');
    if (isIgnored) return;
    if (character === '?' || character === '#') this.part = 'query';
    else if (this.part === 'start' || this.isAllValues) this.part = character === '/' ? 'slash' : 'path';
    else if (this.part === 'slash') this.part = 'path';
    this.isAllValues = false;
    this.passPrefix(character.toLowerCase());
    if (this.isAnchored) return;
    if (character === ':') this.markAsScheme();
    if (/[:/?#]/.test(character)) {
      this.isAnchored = true;
      this.lookaheads = new Set();
    }
  }

  private passPrefix(character: string): void {
    if (this.prefix === null || this.prefix.length > MAX_PREFIX_LENGTH) return;
    const prefix = this.prefix + character;
    const mayExecute = EXECUTABLE_PREFIXES.some(
      (scheme) => scheme.startsWith(prefix) || prefix.startsWith(scheme),
    );
    this.prefix = mayExecute && !IMAGE_DATA_PREFIX.test(prefix) ? prefix : null;
  }

  private setLookaheads(lookaheads: readonly Lookahead[]): void {
    this.lookaheads = new Set(lookaheads);
    if (this.lookaheads.size <= MAX_LOOKAHEADS) return;
    this.markAsScheme();
    this.lookaheads = new Set();
  }
}
