/**
 * Renders a message as each of several email clients shows it, in light and dark mode. Identical pages are merged, and
 * findings come from what the clients dropped.
 */
import type { SourcePiece } from '../analysis/analysis.js';
import type { RuleFinding } from '../findings/finding.js';
import type { RenderClient } from './render-client.js';
import { COLOUR_SCHEMES, type ColourScheme } from '../runs/screenshot.js';
import { renderClientPage, StyleCache, type ClientPage } from './client-page.js';
import { CLIENTS } from './clients.js';
import { darkPage } from './dark-page.js';
import { droppedFindings } from './dropped-findings.js';
import { RenderedSource } from './rendered-source.js';
import { MAX_RENDERED_LENGTH } from './render-bounds.js';

export interface RenderingInput {
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
export interface PageAppearance {
  /** Whether the client reports dark mode to the page. */
  readonly prefersDark: boolean;
  readonly uses: readonly PageUse[];
}

export interface Page {
  readonly html: string;
  readonly appearances: readonly PageAppearance[];
}

export interface Renderings {
  /** Empty if the message has more elements than the limit. */
  readonly pages: readonly Page[];
  readonly findings: readonly RuleFinding[];
}

/** Matches pages that may look different in dark mode. */
const DARK_SCHEME_STYLES = /prefers-color-scheme|color-scheme|light-dark\(/i;

/** Never throws; deterministic. */
export function renderingsOf({
  html,
  pieces,
  bodyHtml,
  clients,
  addedBytes = 0,
}: RenderingInput): Renderings {
  if (html.length > MAX_RENDERED_LENGTH) return { pages: [], findings: [] };
  const styles = new StyleCache();
  const clientPages = new Map<RenderClient, ClientPage>();
  for (const client of clients) {
    const page = renderClientPage(html, client, styles);
    if (!page) return { pages: [], findings: [] };
    clientPages.set(client, page);
  }
  const source = new RenderedSource(html, pieces, bodyHtml);
  return { pages: pagesOf(clientPages), findings: droppedFindings(clientPages, source, addedBytes) };
}

function pagesOf(clientPages: ReadonlyMap<RenderClient, ClientPage>): Page[] {
  const pages = new Map<string, Map<boolean, PageUse[]>>();
  const darkPages = new Map<string, string>();
  for (const [client, { html }] of clientPages)
    for (const scheme of COLOUR_SCHEMES) {
      const { dark } = CLIENTS[client];
      const isDark = scheme === 'dark';
      let text = html;
      if (isDark && (dark === 'partial' || dark === 'full')) {
        const key = `${dark} ${html}`;
        text = darkPages.get(key) ?? darkPage(html, dark);
        darkPages.set(key, text);
      }
      const prefersDark = isDark && dark === 'query' && DARK_SCHEME_STYLES.test(html);
      const appearances = pages.get(text) ?? new Map<boolean, PageUse[]>();
      pages.set(text, appearances);
      const uses = appearances.get(prefersDark);
      if (uses) uses.push({ client, scheme });
      else appearances.set(prefersDark, [{ client, scheme }]);
    }
  return [...pages].map(([html, appearances]) => ({
    html,
    appearances: [...appearances].map(([prefersDark, uses]) => ({ prefersDark, uses })),
  }));
}
