/**
 * Formats messages of the mailbox. The list entry is read from the header alone, because every received message pays
 * for it; the whole message is parsed only when it is opened.
 */
import PostalMime, { addressParser, decodeWords, type Address, type Email } from 'postal-mime';

export type MailEnvironment = 'live' | 'test';

/** A message's entry in the list; the shape of `GET /api/messages`. */
export interface MessageSummary {
  readonly id: string;
  /** `Name <address>`, or the address alone. */
  readonly from: string;
  /** As `from`; several recipients are separated by a comma. */
  readonly to: string;
  readonly subject: string;
  /** ISO 8601, UTC. */
  readonly received_at: string;
  /** The value of the header X-Waypost-Environment. */
  readonly environment: MailEnvironment | null;
}

/** The shape of `GET /api/messages/{id}`. */
export interface FullMessage extends MessageSummary {
  /** In the message's order; values unfolded and decoded. */
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly text: string | null;
  readonly html: string | null;
  readonly attachments: readonly { readonly name: string; readonly type: string; readonly size: number }[];
  readonly raw: string;
}

export interface Envelope {
  readonly from: string;
  readonly to: readonly string[];
}

/** Reads the header. If it lacks From or To, the SMTP envelope is used. */
export function summarise(raw: Buffer, envelope: Envelope): Omit<MessageSummary, 'id' | 'received_at'> {
  const headers = headersOf(raw);
  const first = (name: string): string =>
    headers.find((header) => header.name.toLowerCase() === name)?.value ?? '';
  const environment = first('x-waypost-environment').toLowerCase();
  return {
    from: addressesIn(first('from')) || envelope.from,
    to: addressesIn(first('to')) || envelope.to.join(', '),
    subject: decodeWords(first('subject')),
    environment: environment === 'live' || environment === 'test' ? environment : null,
  };
}

/** Parses the whole message. */
export async function open(summary: MessageSummary, raw: Buffer): Promise<FullMessage> {
  const email = await PostalMime.parse(raw);
  return {
    ...summary,
    headers: headersOf(raw).map(({ name, value }) => ({ name, value: decodeWords(value) })),
    text: withoutLastBreak(email.text),
    html: withoutLastBreak(email.html),
    attachments: email.attachments.map((attachment) => ({
      name: attachment.filename ?? '',
      type: attachment.mimeType,
      size: sizeOf(attachment.content),
    })),
    raw: raw.toString('utf8'),
  };
}

/**
 * The HTML part as a complete page, with inline images embedded and links opening in a new tab.
 * @returns null if the message has none.
 */
export async function htmlPage(raw: Buffer): Promise<string | null> {
  const email = await PostalMime.parse(raw, { attachmentEncoding: 'base64' });
  if (email.html === undefined) return null;
  const html = withInlineImages(email.html, email);
  // Insert after the opening head tag, so that the doctype remains first and the layout mode does not change.
  const head = /<head(\s[^>]*)?>/i;
  return head.test(html) ? html.replace(head, `$&${NEW_TAB_BASE}`) : `${NEW_TAB_BASE}${html}`;
}

const NEW_TAB_BASE = '<base target="_blank">';

function withInlineImages(html: string, email: Email): string {
  let page = html;
  for (const { contentId, mimeType, content } of email.attachments) {
    if (contentId === undefined || typeof content !== 'string') continue;
    page = page.replaceAll(`cid:${contentId.replace(/^<|>$/g, '')}`, `data:${mimeType};base64,${content}`);
  }
  return page;
}

function headersOf(raw: Buffer): { name: string; value: string }[] {
  const end = [raw.indexOf('\r\n\r\n'), raw.indexOf('\n\n')].filter((at) => at >= 0);
  const block = raw.toString('utf8', 0, end.length === 0 ? raw.length : Math.min(...end));
  return block
    .replace(/\r?\n(?=[ \t])/g, '')
    .split(/\r?\n/)
    .flatMap((line) => {
      const colon = line.indexOf(':');
      return colon > 0 ? [{ name: line.slice(0, colon).trim(), value: line.slice(colon + 1).trim() }] : [];
    });
}

function addressesIn(header: string): string {
  const flat = (entry: Address): Address[] => entry.group ?? [entry];
  return addressParser(header)
    .flatMap(flat)
    .map(({ name, address }) => {
      const plain = address ?? '';
      const words = decodeWords(name);
      return words === '' ? plain : plain === '' ? words : `${words} <${plain}>`;
    })
    .join(', ');
}

/** Removes the last line break: the one before a boundary, or before the end of DATA, is not part of the content. */
function withoutLastBreak(part: string | undefined): string | null {
  return part?.replace(/\r?\n$/, '') ?? null;
}

function sizeOf(content: ArrayBuffer | Uint8Array | string): number {
  return typeof content === 'string' ? content.length : content.byteLength;
}
