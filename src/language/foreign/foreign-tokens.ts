/**
 * Splits the content of a Liquid or Django block into tokens. Remains of visual editors inside braces are handled
 * first: tags around words are removed, entities for quotes and other characters are decoded.
 */
import { characterAt } from '../nlt/entities.js';
import { unsupported } from './unsupported.js';

interface ForeignToken {
  /** `braze`: the name in `${name}`. */
  readonly kind: 'name' | 'text' | 'number' | 'braze' | 'sign';
  readonly text: string;
  /** Whether white space precedes it. */
  readonly spaced: boolean;
}

const TOKEN =
  /((?:[\s\u00a0]|\{\{|\}\})+)|(<\/?(?:span|b|i|u|em|strong|font|a|br|p|div)\b[^<>]{0,500}>)|"([^"]*)"|'([^']*)'|(-?\d+(?:\.\d+)?)|\$\{([^{}]*)\}|([\p{L}_$][\p{L}\p{M}\p{N}_-]*\??)|(==|!=|<>|<=|>=|\.\.|[=<>|:,.[\]()+*/%&-])/uy;

/** The tokens of a block. @throws Unfit at a character that starts no token */
function tokensOf(inner: string): readonly ForeignToken[] {
  const written = decodeEntities(inner);
  const tokens: ForeignToken[] = [];
  let spaced = false;
  let offset = 0;
  while (offset < written.length) {
    TOKEN.lastIndex = offset;
    const match = TOKEN.exec(written);
    if (match === null) return unsupported('This does not parse.', 'unreadable');
    offset = TOKEN.lastIndex;
    const [, space, tag, double, single, number, braze, name, sign = ''] = match;
    if (space !== undefined || tag !== undefined) {
      spaced = true;
      continue;
    }
    const text = double ?? single;
    if (text !== undefined) tokens.push({ kind: 'text', text, spaced });
    else if (number !== undefined) tokens.push({ kind: 'number', text: number, spaced });
    else if (braze !== undefined) tokens.push({ kind: 'braze', text: braze.trim(), spaced });
    else if (name !== undefined) tokens.push({ kind: 'name', text: name, spaced });
    else tokens.push({ kind: 'sign', text: sign, spaced });
    spaced = false;
  }
  return tokens;
}

function decodeEntities(written: string): string {
  if (!written.includes('&')) return written;
  let text = '';
  for (let offset = 0; offset < written.length;) {
    const { character, next } = characterAt(written, offset);
    text += character;
    offset = next;
  }
  return text;
}

/** A position in the tokens of one block; all of its members throw Unfit if the block cannot be tokenized. */
export class ForeignCursor {
  private index = 0;
  private readTokens: readonly ForeignToken[] | null = null;

  constructor(private readonly inner: string) {}

  private get tokens(): readonly ForeignToken[] {
    return (this.readTokens ??= tokensOf(this.inner));
  }

  get atEnd(): boolean {
    return this.index >= this.tokens.length;
  }

  peek(ahead = 0): ForeignToken | undefined {
    return this.tokens[this.index + ahead];
  }

  /** Whether the sign or the word `text` is at this position. */
  at(text: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token?.text === text && (token.kind === 'sign' || token.kind === 'name');
  }

  accept(text: string): boolean {
    if (!this.at(text)) return false;
    this.index++;
    return true;
  }

  acceptKind(kind: ForeignToken['kind']): string | null {
    const token = this.peek();
    if (token?.kind !== kind) return null;
    this.index++;
    return token.text;
  }

  /** @throws Unfit */
  expect(text: string): void {
    if (!this.accept(text)) this.fail();
  }

  /** @throws Unfit */
  expectEnd(): void {
    if (!this.atEnd) this.fail();
  }

  fail(): never {
    return unsupported('This does not parse.', 'unreadable');
  }
}
