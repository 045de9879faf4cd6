/**
 * Renders a message as each of several email clients shows it, in light and dark mode. Identical pages are merged, and
 * findings come from what the clients dropped.
 */
import type { SourcePiece } from '../analysis/analysis.js';
import type { RuleFinding } from '../findings/finding.js';
import type { RenderClient } from './render-client.js';
import { COLOUR_SCHEMES, type ColourScheme } from '../runs/screenshot.js';
import { asClientShows, StyleReads, type ClientPage } from './client-page.js';
import { CLIENTS } from './clients.js';
import { darkPage } from './dark-page.js';
import { droppedFindings } from './dropped-findings.js';
import { RenderedSource } from './rendered-source.js';
import { MOST_RENDERED } from './render-bounds.js';

export interface RenderingWork {
  readonly html: string;
  readonly pieces: readonly SourcePiece[];
  readonly bodyHtml: string;
  readonly clients: readonly RenderClient[];
  /** Bytes that delivery adds to the HTML; none if absent. */
  readonly addedBytes?: number;
}

/** The client and color scheme that a page is shown in. */
export interface PageUse {
  readonly client: RenderClient;
  readonly scheme: ColourScheme;
}

/** One way in which a page is shown. */
export interface PageLook {
  /** Whether the client reports dark mode to the page. */
  readonly prefersDark: boolean;
  readonly uses: readonly PageUse[];
}

export interface Page {
  readonly html: string;
  readonly looks: readonly PageLook[];
}

export interface Renderings {
  /** Empty if the message has more elements than the limit. */
  readonly pages: readonly Page[];
  readonly findings: readonly RuleFinding[];
}

/** Matches pages that may look different in dark mode. */
const ANSWERS_DARK = /prefers-color-scheme|color-scheme|light-dark\(/i;

/** Never throws; deterministic. */
export function renderingsOf({ html, pieces, bodyHtml, clients, addedBytes = 0 }: RenderingWork): Renderings {
  if (html.length > MOST_RENDERED) return { pages: [], findings: [] };
  const reads = new StyleReads();
  const shown = new Map<RenderClient, ClientPage>();
  for (const client of clients) {
    const page = asClientShows(html, client, reads);
    if (!page) return { pages: [], findings: [] };
    shown.set(client, page);
  }
  const source = new RenderedSource(html, pieces, bodyHtml);
  return { pages: pagesOf(shown), findings: droppedFindings(shown, source, addedBytes) };
}

function pagesOf(shown: ReadonlyMap<RenderClient, ClientPage>): Page[] {
  const pages = new Map<string, Map<boolean, PageUse[]>>();
  const darkened = new Map<string, string>();
  for (const [client, { html }] of shown)
    for (const scheme of COLOUR_SCHEMES) {
      const { dark } = CLIENTS[client];
      const isDark = scheme === 'dark';
      let text = html;
      if (isDark && (dark === 'partial' || dark === 'full')) {
        const key = `${dark} ${html}`;
        text = darkened.get(key) ?? darkPage(html, dark);
        darkened.set(key, text);
      }
      const prefersDark = isDark && dark === 'query' && ANSWERS_DARK.test(html);
      const looks = pages.get(text) ?? new Map<boolean, PageUse[]>();
      pages.set(text, looks);
      const uses = looks.get(prefersDark);
      if (uses) uses.push({ client, scheme });
      else looks.set(prefersDark, [{ client, scheme }]);
    }
  return [...pages].map(([html, looks]) => ({
    html,
    looks: [...looks].map(([prefersDark, uses]) => ({ prefersDark, uses })),
  }));
}
