/**
 * Follows the static text of one address (a link, a picture, a CSS `url()`) up to each value in it, as the URL standard
 * reads addresses: which part a value stands in, whether the scheme is settled before it, whether the template's own
 * scheme runs what follows.
 *
 * Dark corner: a colon of the template makes a scheme of the values before it (`{the x}:`, `javas{the x}:`). The values
 * learn of it by their joint, which was handed out before the colon was seen.
 */

/** What a value learns of the static text behind it, once the whole template has been followed. */
export interface Joint {
  /** Whether the value may become a part of a scheme by a colon of the template. */
  joinsScheme: boolean;
}

/**
 * `start`: nothing stands before; `slash`: one slash does; `query`: behind `?` or `#`; `reference`: behind `&#` or its
 * like, of which the value would make a character; `path`: anywhere else.
 */
export type AddressPart = 'start' | 'slash' | 'path' | 'query' | 'reference';

/** Beginnings of addresses that run what follows; data of a picture runs nothing. */
const RUNNING = ['javascript:', 'vbscript:', 'data:'];
const PICTURE = /^data:image\/(?:png|gif|jpe?g|webp)[;,]$/;
/** Longer than the beginning of every picture. */
const MAX_HEAD = 20;

/** So many values before a scheme is settled are no address that anybody means. */
const MAX_JOINTS = 64;

/** One state of an address between two pieces. */
export class AddressState {
  part: AddressPart = 'start';
  /** Whether the static text before settles the scheme, so that a colon is harmless. */
  isAnchored = false;
  /** The static text, while it may still become or be a beginning that runs; null when it cannot. */
  private head: string | null = '';
  private joints: ReadonlySet<Joint> = new Set();
  /** Whether nothing but values stands before, which may all be empty. */
  private isAllValues = false;

  copy(): AddressState {
    return Object.assign(new AddressState(), this);
  }

  /** Equal for states that go on alike. */
  get key(): string {
    return `${this.part} ${this.isAllValues} ${this.isAnchored} ${this.head ?? '-'}`;
  }

  /** Whether the template's own scheme runs what a value here says. */
  get runs(): boolean {
    return this.head !== null && RUNNING.some((scheme) => this.head?.startsWith(scheme));
  }

  /** Makes this state hold for `other`, which has the same key, as well. */
  adopt(other: AddressState): void {
    if (other.joints !== this.joints) this.setJoints([...this.joints, ...other.joints]);
  }

  /** Notes that a value of unknown text stands here, which may be empty. */
  passValue(joint: Joint): void {
    if (this.part === 'start') {
      this.part = 'path';
      this.isAllValues = true;
    }
    if (!this.isAnchored && !this.joints.has(joint)) this.setJoints([...this.joints, joint]);
  }

  /** Takes it that the values so far are a part of the scheme. */
  join(): void {
    for (const joint of this.joints) joint.joinsScheme = true;
  }

  /** Goes through one character, as HTML and CSS have decoded it. */
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
