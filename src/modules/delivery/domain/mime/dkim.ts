/**
 * The DKIM signature of a finished message (RFC 6376): rsa-sha256 over relaxed header fields and body. It covers the
 * fields of one-click unsubscribe, as RFC 8058 requires.
 */
import { createHash } from 'node:crypto';

/** The domain and selector of a signature. */
export interface DkimIdentity {
  readonly domain: string;
  readonly selector: string;
}

/** A signature before signing. */
export interface UnsignedDkim {
  /** The data that the private key signs, with SHA-256. */
  readonly data: Buffer;
  /** The header field with its CRLF, to be placed before the message. */
  field(signature: Buffer): string;
}

/** Signed if present. */
const SIGNED_FIELDS = [
  'From',
  'To',
  'Subject',
  'Date',
  'Message-ID',
  'MIME-Version',
  'Content-Type',
  'Reply-To',
  'List-Unsubscribe',
  'List-Unsubscribe-Post',
  'Feedback-ID',
  'Auto-Submitted',
];
/**
 * Listed once more than they occur, so that an added field, which a reader might show instead, breaks the signature.
 */
const OVERSIGNED_FIELDS = new Set(['From', 'To', 'Subject']);

const NAME = 'DKIM-Signature';
const MAX_LINE_CHARS = 76;
/** Bytes of a body that are hashed without a yield: less than a millisecond. */
const CHUNK_BYTES = 262_144;
const [TAB, LF, CR, SPACE] = [0x09, 0x0a, 0x0d, 0x20];

/**
 * Prepares the signature of a message. Yields between pieces of a large one, so that the caller can run other work.
 * @param message with CRLF at the end of every line.
 * @param at the time of signing.
 */
export function* prepareDkim(
  message: Buffer,
  { domain, selector }: DkimIdentity,
  at: Date,
): Generator<void, UnsignedDkim> {
  const headEnd = message.indexOf('\r\n\r\n');
  const fields = fieldsOf(message.toString('latin1', 0, headEnd));
  const bodyHash = yield* hashOf(message.subarray(headEnd + 4));
  const signedNames: string[] = [];
  const signed: string[] = [];
  for (const name of SIGNED_FIELDS) {
    // If a field occurs several times, the last one is signed first.
    const values = fields
      .flatMap((field) => (field.name === name.toLowerCase() ? [field.value] : []))
      .reverse();
    for (const value of values) signed.push(`${relaxed(name, value)}\r\n`);
    signedNames.push(...values.map(() => name), ...(OVERSIGNED_FIELDS.has(name) ? [name] : []));
  }
  const value = [
    `v=1; a=rsa-sha256; c=relaxed/relaxed; t=${Math.floor(at.getTime() / 1_000)};`,
    `d=${domain};`,
    `s=${selector};`,
    `${folded('h=', signedNames, ':')};`,
    `bh=${bodyHash};`,
    'b=',
  ].join('\r\n ');
  return {
    data: Buffer.from(`${signed.join('')}${relaxed(NAME, value)}`, 'latin1'),
    field: (signature) => {
      const lines = signature.toString('base64').match(/.{1,72}/g) ?? [];
      return `${NAME}: ${value}${lines.join('\r\n ')}\r\n`;
    },
  };
}

interface HeaderField {
  /** In lower case. */
  readonly name: string;
  readonly value: string;
}

function fieldsOf(head: string): HeaderField[] {
  return head.split(/\r\n(?![ \t])/).map((field) => {
    const colon = field.indexOf(':');
    return { name: field.slice(0, colon).trimEnd().toLowerCase(), value: field.slice(colon + 1) };
  });
}

/** A field without its CRLF, section 3.4.2. */
function relaxed(name: string, value: string): string {
  return `${name.toLowerCase()}:${value
    .replaceAll('\r\n', '')
    .replace(/[ \t]+/g, ' ')
    .trim()}`;
}

/** The hash of a body, section 3.4.4, in base64. */
function* hashOf(body: Buffer): Generator<void, string> {
  const hash = createHash('sha256');
  const end = endOf(body);
  for (let from = 0; from < end;) {
    if (from > 0) yield;
    const lineEnd = from + CHUNK_BYTES < end ? body.indexOf('\r\n', from + CHUNK_BYTES) : -1;
    const to = lineEnd === -1 || lineEnd >= end ? end : lineEnd + 2;
    hash.update(relaxedLines(body.subarray(from, to)));
    from = to;
  }
  if (end > 0) hash.update('\r\n');
  return hash.digest('base64');
}

/** The end of the last line that is not empty, without its white space and its CRLF. */
function endOf(body: Buffer): number {
  let end = body.length;
  for (;;) {
    while (end > 0 && (body[end - 1] === SPACE || body[end - 1] === TAB)) end--;
    if (end < 2 || body[end - 1] !== LF || body[end - 2] !== CR) return end;
    end -= 2;
  }
}

/** White space that is not reduced yet: runs, tabs, and white space before a line end. */
const UNREDUCED = /[ \t]+(\r\n)|[ \t]{2,}|\t/g;

/** Whole lines with their white space reduced. Lines of a base64 body have none. */
function relaxedLines(chunk: Buffer): Buffer {
  if (!chunk.includes(TAB) && !chunk.includes('  ') && !chunk.includes(' \r\n')) return chunk;
  const text = chunk.toString('latin1');
  return Buffer.from(
    text.replace(UNREDUCED, (_, end?: string) => end ?? ' '),
    'latin1',
  );
}

/** Joins the values with the separator and folds them into lines that mail readers show without scrolling. */
function folded(tag: string, words: readonly string[], separator: string): string {
  let text = tag;
  let width = tag.length + 1;
  for (const [index, word] of words.entries()) {
    const part = index === 0 ? word : `${separator}${word}`;
    if (width + part.length + 1 > MAX_LINE_CHARS) {
      text += `${separator}\r\n ${word}`;
      width = word.length + 1;
    } else {
      text += part;
      width += part.length;
    }
  }
  return text;
}
