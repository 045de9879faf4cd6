/** Maps elements of the rendered HTML to those of the stored body, which identify findings. */
import type { SourcePiece } from '../analysis/analysis.js';
import { MAX_FINDINGS } from '../findings/bounded-findings.js';
import type { RuleFinding } from '../findings/finding.js';
import { RENDER_CLIENTS, type RenderClient } from './render-client.js';
import type { RuleName } from '../rules/catalogue.js';
import { sourceOffset } from '../analysis/source-offset.js';

/** Beyond this number of characters, a finding covers only the tag of its element. */
const MAX_ELEMENT_LENGTH = 600;
/** Beyond this number of characters, a tag is not treated as one. */
const MAX_TAG_LENGTH = 20_000;

export class RenderedSource {
  constructor(
    private readonly html: string,
    private readonly pieces: readonly SourcePiece[],
    private readonly bodyHtml: string,
  ) {}

  /** The beginning of an element in the stored body, by its offset in the rendered HTML. */
  startOf(rendered: number): number {
    return Math.min(sourceOffset(this.pieces, rendered), this.bodyHtml.length);
  }

  /** The range of an element in the stored body, by its offset in the rendered HTML. */
  rangeOf(rendered: number): { readonly at: number; readonly until: number } {
    const at = this.startOf(rendered);
    return { at, until: endOfElement(this.bodyHtml, at) };
  }

  /** The element's tag as it is rendered, cut. */
  tagOf(rendered: number): string {
    return this.html.slice(rendered, Math.min(endOfTag(this.html, rendered), rendered + 120));
  }
}

/**
 * The end of the tag at an offset; brackets in quotes do not end it. Uses plain searches: a pattern could match text
 * that is not a tag in many ways, which is slow.
 */
function endOfTag(html: string, at: number): number {
  const tag = html.slice(at, at + MAX_TAG_LENGTH);
  const none = at + Math.min(1, tag.length);
  if (!tag.startsWith('<')) return none;
  for (let index = 1; index < tag.length; index++) {
    const character = tag[index] ?? '';
    if (character === '>') return at + index + 1;
    if (character === '<') return none;
    if (character !== '"' && character !== "'") continue;
    index = tag.indexOf(character, index + 1);
    if (index < 0) return none;
  }
  return none;
}

/** The end of a short element that contains no other of its name, otherwise of its tag. */
function endOfElement(html: string, at: number): number {
  const end = endOfTag(html, at);
  const name = /^<([a-z][a-z0-9]*)/i.exec(html.slice(at, at + 30))?.[1];
  if (name === undefined) return end;
  const rest = html.slice(end, end + MAX_ELEMENT_LENGTH);
  const close = new RegExp(`</${name}\\s*>`, 'i').exec(rest);
  const again = new RegExp(`<${name}[\\s>]`, 'i').exec(rest);
  return close && (!again || again.index > close.index) ? end + close.index + close[0].length : end;
}

interface CollectedFinding {
  readonly rule: RuleName;
  readonly message: string;
  readonly rendered: number | null;
  readonly target: string | undefined;
  readonly clients: Set<RenderClient>;
}

/** Collects findings: one for each element and rule, with all clients that it concerns. */
export class Findings {
  private readonly all = new Map<string, CollectedFinding>();
  private readonly counts = new Map<RuleName, number>();

  constructor(private readonly source: RenderedSource) {}

  /**
   * @param rendered the offset of the element in the rendered HTML; null if it concerns the whole message.
   * @param target what it points at, if that is not the element's text.
   */
  add(
    rule: RuleName,
    message: string,
    rendered: number | null,
    clients: readonly RenderClient[],
    target?: string,
  ): void {
    const start = rendered === null ? '' : this.source.startOf(rendered);
    const key = `${rule} ${start} ${target ?? ''}`;
    const known = this.all.get(key);
    if (known) {
      for (const client of clients) known.clients.add(client);
      return;
    }
    const count = this.counts.get(rule) ?? 0;
    if (count >= MAX_FINDINGS) return;
    this.counts.set(rule, count + 1);
    this.all.set(key, { rule, message, rendered, target, clients: new Set(clients) });
  }

  /** Adds findings that were collected separately. */
  addAll(others: Findings): void {
    for (const { rule, message, rendered, target, clients } of others.all.values())
      this.add(rule, message, rendered, [...clients], target);
  }

  list(): RuleFinding[] {
    return [...this.all.values()].map(({ rule, message, rendered, target, clients }) => ({
      rule,
      message,
      ...(rendered === null ? { at: null } : this.source.rangeOf(rendered)),
      ...(target === undefined ? {} : { target }),
      ...(clients.size === RENDER_CLIENTS.length
        ? {}
        : { clients: RENDER_CLIENTS.filter((client) => clients.has(client)) }),
    }));
  }
}
