/**
 * A scheduled report as an email, section 4.4: figures first, then the chart and the table, in a single column that
 * works in every mail program, in light and dark mode, on a phone and as plain text. It loads nothing and has no open
 * tracking.
 */
import Handlebars from 'handlebars';
import { DARK_COLOURS, LIGHT_COLOURS } from '../../../kernel/page-colours.js';
import type { MetricRow } from '../../metrics/domain/metric-query.js';
import { unlinkedName } from '../../notices/domain/plain-name.js';
import { chartDescription } from './chart/chart-description.js';
import { chartModel } from './chart/chart-model.js';
import type { Report } from './report.js';
import type { ReportData } from './report-data.js';
import {
  formatAnomaly,
  formatRange,
  omissionNote,
  type ReportTable,
  tableOf,
  type Tile,
  tilesOf,
  unmeasuredNote,
} from './report-formatters.js';
import type { FormatOptions } from './schedule.js';
import { sanitizeText } from './sanitize-text.js';

export interface RenderedReportEmail {
  /** One line of 255 characters at most. */
  readonly subject: string;
  /** Shows the image `cid:chart` if the options include the chart. */
  readonly html: string;
  readonly text: string;
}

/** More columns do not fit on a phone. */
const TABLE = { rows: 25, columns: 5 } as const;
const MAX_ANOMALIES = 10;
const MAX_SUBJECT_LENGTH = 255;
const MAX_NAME_LENGTH = 160;
const MAX_CELL_LENGTH = 40;
const MAX_ALT_LENGTH = 900;

/** Builds the email of a report. It does not link to the report, which recipients could not open without an account. */
export function renderReportEmail(
  report: Report,
  reportData: ReportData,
  options: FormatOptions,
): RenderedReportEmail {
  const data = unlinked(reportData);
  const name = sanitizeText(unlinkedName(report.name), MAX_NAME_LENGTH) || 'Report';
  const range = formatRange(data.range);
  const tiles = tilesOf(data);
  const table = options.kpiOnly || data.rows.length === 0 ? null : tableOf(data, TABLE);
  const anomalies = anomalyLines(data);
  const unmeasured = unmeasuredNote(data);
  const content = {
    name,
    range,
    before: data.comparison ? formatRange(data.comparison.range) : null,
    preview: tiles
      .slice(0, 3)
      .map(({ label, value }) => `${label} ${value}`)
      .join(' · '),
    tiles: linesOf(tiles),
    chart: options.chartImage && !options.kpiOnly ? altOf(data) : null,
    anomalies,
    table: table && {
      ...table,
      rows: table.rows.map((row) => row.map((text, at) => ({ ...table.columns[at], text }))),
    },
    rest: table && omissionNote(table),
    unmeasured,
    hasFile: options.csvAttachment,
  };
  return {
    subject: subjectOf(name, range),
    html: HTML(content),
    text: textOf({
      name,
      range,
      tiles,
      table,
      unmeasured,
      anomalies,
      before: content.before,
      hasFile: options.csvAttachment,
    }),
  };
}

/**
 * Neutralizes links in names: names of flows and the like can be any text, and this mail is sent in the product's name.
 */
function unlinked(data: ReportData): ReportData {
  const rowsOf = (rows: readonly MetricRow[]): MetricRow[] =>
    rows.map((row) => ({
      ...row,
      dimensions: Object.fromEntries(
        Object.entries(row.dimensions).map(([key, value]) => [
          key,
          typeof value === 'object' && value !== null ? { ...value, name: unlinkedName(value.name) } : value,
        ]),
      ),
    }));
  const { comparison } = data;
  return {
    ...data,
    rows: rowsOf(data.rows),
    comparison: comparison && { ...comparison, rows: rowsOf(comparison.rows) },
  };
}

function subjectOf(name: string, range: string): string {
  return `${sanitizeText(name, MAX_SUBJECT_LENGTH - range.length - 2)}: ${range}`;
}

function altOf(data: ReportData): string {
  const charted = data.chartType === 'table' ? { ...data, chartType: 'bar' as const } : data;
  const { title, description } = chartDescription(charted, chartModel(charted));
  return sanitizeText(`${title}. ${description}`, MAX_ALT_LENGTH);
}

function anomalyLines(data: ReportData): string[] {
  const listed = data.anomalies.slice(0, MAX_ANOMALIES).map((anomaly) => formatAnomaly(data, anomaly));
  const more = data.anomalies.length - listed.length;
  return more > 0 ? [...listed, `${more} more are listed in the report.`] : listed;
}

/** Arranges two or three tiles per line, so that figures keep their size. */
function linesOf(tiles: readonly Tile[]): { readonly tiles: readonly Tile[]; readonly width: string }[] {
  const perLine = tiles.length === 1 ? 1 : tiles.length % 3 === 0 || tiles.length > 4 ? 3 : 2;
  return Array.from({ length: Math.ceil(tiles.length / perLine) }, (_, line) => ({
    tiles: tiles.slice(line * perLine, (line + 1) * perLine),
    width: `${Math.floor(100 / perLine)}%`,
  }));
}

interface EmailText {
  readonly name: string;
  readonly range: string;
  readonly before: string | null;
  readonly tiles: readonly Tile[];
  readonly anomalies: readonly string[];
  readonly table: ReportTable | null;
  readonly unmeasured: string | null;
  readonly hasFile: boolean;
}

function textOf({ name, range, before, tiles, anomalies, table, unmeasured, hasFile }: EmailText): string {
  const tileLines = tiles.map(({ label, value, change, hint, before: earlier }) => {
    const notes = [hint, change?.words, earlier === null ? null : `before: ${earlier}`].filter(Boolean);
    return notes.length > 0 ? `${label}: ${value} (${notes.join('; ')})` : `${label}: ${value}`;
  });
  const parts = [
    [name, range, ...(before === null ? [] : [`Compared with ${before}`])],
    tileLines,
    anomalies.length > 0 ? ['Unusual:', ...anomalies.map((line) => `- ${line}`)] : [],
    table ? linesOfTable(table) : [],
    [(table && omissionNote(table)) ?? '', unmeasured ?? ''].filter((line) => line !== ''),
    hasFile ? ['All rows are attached as a CSV file.'] : [],
    ['-- ', 'Waypost', 'Sent by this report’s schedule.'],
  ];
  return `${parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function linesOfTable({ columns, rows }: ReportTable): string[] {
  const lines = [columns.map(({ label }) => label), ...rows].map((row) =>
    row.map((cell) => sanitizeText(cell, MAX_CELL_LENGTH)),
  );
  const widths = columns.map((_, at) => Math.max(...lines.map((row) => [...(row[at] ?? '')].length)));
  return lines.map((row) =>
    row
      .map((cell, at) => {
        const space = ' '.repeat((widths[at] ?? 0) - [...cell].length);
        return columns[at]?.isFigure === true ? space + cell : cell + space;
      })
      .join('  ')
      .trimEnd(),
  );
}

const FONT = `-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif`;
const { text: TEXT, soft: SOFT, line: LINE, card: CARD, ground: GROUND } = LIGHT_COLOURS;
const TABLE_TAG = '<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"';

/** Dark mode colours are in a style sheet; mail programs without support keep the light ones. */
const HTML = Handlebars.compile(
  `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><meta name="format-detection" content="telephone=no,date=no,address=no"><title>{{name}}: {{range}}</title>
<style>:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (max-width:520px){.page{padding:16px 8px !important}.card{padding:24px 16px !important}.value{font-size:21px !important;line-height:27px !important}.cell{font-size:12px !important}.tile{padding:12px 10px !important}}
@media (prefers-color-scheme:dark){.page{background:${DARK_COLOURS.ground} !important}.card{background:${DARK_COLOURS.card} !important;border-color:${DARK_COLOURS.line} !important}h1,h2,.value,.cell{color:${DARK_COLOURS.text} !important}.soft,.brand{color:${DARK_COLOURS.soft} !important}.line{border-color:${DARK_COLOURS.line} !important}.tile{background:#242b36 !important}.gap{border-color:${DARK_COLOURS.card} !important}.unusual{background:#3a3320 !important;color:#f5e6b8 !important}}</style></head>
<body style="margin:0;padding:0;background:${GROUND}" class="page">
<div style="display:none;max-height:0;overflow:hidden">{{preview}}</div>
${TABLE_TAG}><tr><td align="center" class="page" style="padding:32px 16px;background:${GROUND}">
${TABLE_TAG} style="max-width:660px">
<tr><td class="brand" style="padding:0 0 16px 4px;font:600 15px/20px ${FONT};color:${SOFT}">Waypost</td></tr>
<tr><td class="card" style="padding:32px 30px;background:${CARD};border:1px solid ${LINE};border-radius:14px">
<h1 style="margin:0 0 6px;font:600 23px/30px ${FONT};color:${TEXT};overflow-wrap:anywhere"><bdi>{{name}}</bdi></h1>
<p class="soft" style="margin:0 0 18px;font:400 15px/22px ${FONT};color:${SOFT}">{{range}}{{#if before}}<br>Compared with {{before}}{{/if}}</p>
{{#each tiles}}${TABLE_TAG}><tr>
{{#each tiles}}<td class="gap" valign="top" width="{{../width}}" style="{{#unless @last}}border-right:6px solid ${CARD};{{/unless}}border-bottom:6px solid ${CARD}">${TABLE_TAG}><tr><td class="tile" style="padding:14px 16px;background:${GROUND};border-radius:10px"><div class="soft" style="font:400 13px/18px ${FONT};color:${SOFT};overflow-wrap:break-word">{{label}}</div><div class="value" style="padding:2px 0;font:600 25px/32px ${FONT};color:${TEXT}">{{value}}</div>{{#if change}}<div class="soft" style="font:400 13px/18px ${FONT};color:${SOFT}"><span style="font-weight:600">{{change.text}}</span>{{#if before}} <span style="white-space:nowrap">from {{before}}</span>{{/if}}</div>{{/if}}{{#if hint}}<div class="soft" style="font:400 13px/18px ${FONT};color:${SOFT}">{{hint}}</div>{{/if}}</td></tr></table></td>
{{/each}}</tr></table>
{{/each}}{{#if chart}}<img src="cid:chart" alt="{{chart}}" width="598" style="display:block;width:100%;max-width:598px;height:auto;margin:20px 0 0;border:0;border-radius:8px;background:${CARD};color:${TEXT};font:400 14px/20px ${FONT}">
{{/if}}{{#if anomalies}}${TABLE_TAG} style="margin:20px 0 0"><tr><td class="unusual" style="padding:14px 16px;background:#fdf6e0;border-radius:10px;font:400 14px/21px ${FONT};color:#4d3b00"><strong>Unusual</strong>{{#each anomalies}}<br>{{this}}{{/each}}</td></tr></table>
{{/if}}{{#if table}}<table width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:24px 0 0;border-collapse:collapse">
<tr>{{#each table.columns}}<th class="cell soft line" scope="col" align="{{#if isFigure}}right{{else}}left{{/if}}" valign="bottom" style="padding:{{#if isFigure}}8px 0 8px 8px{{else}}8px 8px 8px 0{{/if}};border-bottom:2px solid ${LINE};font:600 13px/18px ${FONT};color:${SOFT}">{{label}}</th>{{/each}}</tr>
{{#each table.rows}}<tr>{{#each this}}<td class="cell line" align="{{#if isFigure}}right{{else}}left{{/if}}" style="padding:{{#if isFigure}}8px 0 8px 8px{{else}}8px 8px 8px 0{{/if}};border-bottom:1px solid ${LINE};font:400 14px/19px ${FONT};color:${TEXT};{{#if isShort}}white-space:nowrap{{else}}word-break:break-word;overflow-wrap:anywhere{{/if}}">{{#if isFigure}}{{text}}{{else}}<bdi>{{text}}</bdi>{{/if}}</td>{{/each}}</tr>
{{/each}}</table>
{{#if rest}}<p class="soft" style="margin:10px 0 0;font:400 13px/19px ${FONT};color:${SOFT}">{{rest}}</p>
{{/if}}{{/if}}{{#if unmeasured}}<p class="soft" style="margin:10px 0 0;font:400 13px/19px ${FONT};color:${SOFT}">{{unmeasured}}</p>
{{/if}}{{#if hasFile}}<p class="soft" style="margin:14px 0 0;font:400 13px/19px ${FONT};color:${SOFT}">All rows are attached as a CSV file.</p>
{{/if}}</td></tr>
<tr><td class="soft" style="padding:16px 4px 0;font:400 13px/19px ${FONT};color:${SOFT}">Sent by the schedule of this report.</td></tr>
</table></td></tr></table></body></html>
`,
  { strict: false, knownHelpersOnly: true },
);
