/**
 * Tracks the static text of one address (a link, an image, a CSS `url()`) up to each value in it, as the URL standard
 * parses addresses: which part a value is in, whether the scheme is already known, and whether the template's own
 * scheme executes what follows.
 *
 * Edge case: a colon of the template can turn the values before it into a scheme (`{the x}:`, `javas{the x}:`). The
 * values learn this through their `Joint`, which they received before the colon was read.
 */

/** What a value learns about the static text after it, once the whole template has been processed. */
export interface Joint {
  /** Whether a colon of the template may make the value a part of a scheme. */
  joinsScheme: boolean;
}

/**
 * `start`: nothing precedes; `slash`: one slash precedes; `query`: after `?` or `#`; `reference`: after `&#` or
 * similar, which the value would complete to a character; `path`: anywhere else.
 */
export type AddressPart = 'start' | 'slash' | 'path' | 'query' | 'reference';

/** Address prefixes that execute what follows. The data of an image executes nothing. */
const RUNNING = ['javascript:', 'vbscript:', 'data:'];
const PICTURE = /^data:image\/(?:png|gif|jpe?g|webp)[;,]$/;
/** Longer than the prefix of every image address. */
const MAX_HEAD = 20;

/** No real address has this many values before its scheme is known. */
const MAX_JOINTS = 64;

/** One possible state of an address at a point between two pieces. */
export class AddressState {
  part: AddressPart = 'start';
  /** Whether the preceding static text determines the scheme, so that a colon is harmless. */
  isAnchored = false;
  /** The static text while it may still become, or be, a prefix that executes code; null once it cannot. */
  private head: string | null = '';
  private joints: ReadonlySet<Joint> = new Set();
  /** Whether only values precede, which may all be empty. */
  private isAllValues = false;

  copy(): AddressState {
    return Object.assign(new AddressState(), this);
  }

  /** Equal for states that behave the same from here on. */
  get key(): string {
    return `${this.part} ${this.isAllValues} ${this.isAnchored} ${this.head ?? '-'}`;
  }

  /** Whether the template's own scheme executes the text of a value here. */
  get runs(): boolean {
    return this.head !== null && RUNNING.some((scheme) => this.head?.startsWith(scheme));
  }

  /** Merges `other`, which has the same key, into this state. */
  adopt(other: AddressState): void {
    if (other.joints !== this.joints) this.setJoints([...this.joints, ...other.joints]);
  }

  /** Records a value of unknown text at this position; it may be empty. */
  passValue(joint: Joint): void {
    if (this.part === 'start') {
      this.part = 'path';
      this.isAllValues = true;
    }
    if (!this.isAnchored && !this.joints.has(joint)) this.setJoints([...this.joints, joint]);
  }

  /** Marks the values so far as a part of the scheme. */
  join(): void {
    for (const joint of this.joints) joint.joinsScheme = true;
  }

  /** Processes one character, already decoded from HTML and CSS. */
  pass(character: string): void {
    const isLeftOut = /[\t\n\r]/.test(character) || (this.part === 'start' && character <= ' ');
    if (isLeftOut) return;
    if (character === '?' || character === '#') this.part = 'query';
    else if (this.part === 'start' || this.isAllValues) this.part = character === '/' ? 'slash' : 'path';
    else if (this.part === 'slash') this.part = 'path';
    this.isAllValues = false;
    this.passHead(character.toLowerCase());
    if (this.isAnchored) return;
    if (character === ':') this.join();
    if (/[:/?#]/.test(character)) {
      this.isAnchored = true;
      this.joints = new Set();
    }
  }

  private passHead(character: string): void {
    if (this.head === null || this.head.length > MAX_HEAD) return;
    const head = this.head + character;
    const mayRun = RUNNING.some((scheme) => scheme.startsWith(head) || head.startsWith(scheme));
    this.head = mayRun && !PICTURE.test(head) ? head : null;
  }

  private setJoints(joints: readonly Joint[]): void {
    this.joints = new Set(joints);
    if (this.joints.size <= MAX_JOINTS) return;
    this.join();
    this.joints = new Set();
  }
}
