/**
 * The HTML pages of a report, section 4.4: for printing, and for share links in a browser. They load nothing, escape
 * every external text, and run only the script that opens the print dialog, under a nonce. Gate S11.
 */
import { randomBytes } from 'node:crypto';
import Handlebars from 'handlebars';
import { chartSvg } from '../domain/chart/chart-svg.js';
import type { ReportData } from '../domain/report-data.js';
import type { Report } from '../domain/report.js';
import {
  formatAnomaly,
  formatMoment,
  formatRange,
  omissionNote,
  tableOf,
  tilesOf,
  unmeasuredNote,
} from '../domain/report-formatters.js';
import { sanitizeText } from '../domain/sanitize-text.js';
import { STYLE } from './report-page-style.js';

export interface Page {
  readonly headers: Readonly<Record<string, string>>;
  readonly html: string;
}

/** Section 8.3: rows of the printable page. */
const TABLE = { rows: 100, columns: 40 } as const;
const WIDE = { width: 960, height: 380 } as const;
const NARROW = { width: 340, height: 400 } as const;
const MAX_NAME_LENGTH = 255;
const MAX_DESCRIPTION_LENGTH = 2_000;

const PRINT = `addEventListener('load',()=>setTimeout(()=>print()))`;

/** Headers of every page about a report: no framing, no indexing, no caching, no referrer. */
function headersOf(nonce: string, hasScript: boolean): Readonly<Record<string, string>> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy':
      `default-src 'none'; style-src 'nonce-${nonce}'; ${hasScript ? `script-src 'nonce-${nonce}'; ` : ''}` +
      `form-action 'none'; base-uri 'none'; frame-ancestors 'none'`,
    ...SHARED_HEADERS,
    'x-content-type-options': 'nosniff',
  };
}

/** Headers of every response to a share link. */
export const SHARED_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'private, no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
};

const LAYOUT = Handlebars.compile(
  `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex,nofollow"><meta name="referrer" content="no-referrer"><meta name="color-scheme" content="light dark"><title>{{title}}</title><style nonce="{{nonce}}">{{{style}}}</style>{{#if script}}<script nonce="{{nonce}}">{{{script}}}</script>{{/if}}</head>
<body>{{#if message}}<main class="small"><h1>{{name}}</h1>
<p class="about soft">{{message}}</p></main>
{{else}}<main><h1><bdi>{{name}}</bdi></h1>
{{#if about}}<p class="about"><bdi>{{about}}</bdi></p>
{{/if}}<p class="range soft">{{range}}{{#if before}} · compared with {{before}}{{/if}}</p>
{{#if tiles}}<dl>{{#each tiles}}<div><dt>{{label}}</dt><dd class="value">{{value}}</dd>{{#if change}}<dd class="change"><b aria-label="{{change.words}}">{{change.text}}</b>{{#if before}} <span>from {{before}}</span>{{/if}}</dd>{{/if}}{{#if hint}}<dd class="change">{{hint}}</dd>{{/if}}</div>
{{/each}}</dl>
{{/if}}{{#if wide}}<figure><div class="wide">{{{wide}}}</div><div class="narrow">{{{narrow}}}</div></figure>
{{/if}}{{#if anomalies}}<section class="unusual"><h2>Unusual</h2><ul>{{#each anomalies}}<li>{{this}}</li>{{/each}}</ul></section>
{{/if}}{{#if rows}}<div class="rows" tabindex="0" role="region" aria-label="Figures"><table><thead><tr>{{#each columns}}<th scope="col"{{#if isFigure}} class="figure"{{/if}}>{{label}}</th>{{/each}}</tr></thead>
<tbody>{{#each rows}}<tr>{{#each this}}<td{{#if isFigure}} class="figure"{{else}}{{#if isShort}} class="short"{{/if}}{{/if}}>{{#if isFigure}}{{text}}{{else}}<bdi>{{text}}</bdi>{{/if}}</td>{{/each}}</tr>
{{/each}}</tbody></table></div>
{{#if rest}}<p class="rest soft">{{rest}}</p>
{{/if}}{{else}}<p class="about soft">No data in this period.</p>
{{/if}}{{#if unmeasured}}<p class="rest soft">{{unmeasured}}</p>
{{/if}}</main><footer>As of {{asOf}} · Waypost</footer>
{{/if}}</body></html>
`,
  { strict: false, knownHelpersOnly: true },
);

/**
 * Renders a report as a page.
 * @param mode `print` opens the print dialog and shows everything; `shared` is for visitors with the link.
 */
export function reportPage(
  report: Pick<Report, 'name' | 'description'>,
  data: ReportData,
  mode: 'print' | 'shared',
): Page {
  const nonce = randomBytes(18).toString('base64');
  const table = tableOf(data, TABLE);
  const name = sanitizeText(report.name, MAX_NAME_LENGTH) || 'Report';
  const range = formatRange(data.range);
  const html = LAYOUT({
    nonce,
    style: STYLE,
    script: mode === 'print' ? PRINT : null,
    title: `${name}: ${range}`,
    name,
    about: report.description === null ? '' : sanitizeText(report.description, MAX_DESCRIPTION_LENGTH),
    range,
    before: data.comparison ? formatRange(data.comparison.range) : null,
    tiles: tilesOf(data),
    wide: chartSvg(data, { ...WIDE, theme: 'auto' }),
    narrow: chartSvg(data, { ...NARROW, theme: 'auto' }),
    anomalies: data.anomalies.map((anomaly) => formatAnomaly(data, anomaly)),
    columns: table.columns,
    rows: table.rows.map((row) => row.map((text, at) => ({ ...table.columns[at], text }))),
    rest: omissionNote(table),
    unmeasured: unmeasuredNote(data),
    asOf: formatMoment(data.generatedAt),
  });
  return { headers: headersOf(nonce, mode === 'print'), html };
}

/** The page for a share link that does not exist, or no longer works. */
export function missingPage(heading: string, message: string): Page {
  const nonce = randomBytes(18).toString('base64');
  return {
    headers: headersOf(nonce, false),
    html: LAYOUT({ nonce, style: STYLE, title: heading, name: heading, message }),
  };
}
