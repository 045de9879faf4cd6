/**
 * Generates the part of docs/reports.md that lists every metric, dimension and filter. Written by `npm run generate`.
 */
import { CATALOGUE } from '../../metrics/domain/catalogue.js';
import {
  operatorsOf,
  type Dimension,
  type Metric,
  type Source,
} from '../../metrics/domain/catalogue/source.js';
import { formulaOf } from './explanation.js';

const BEGIN = '<!-- what can be shown: from the catalogue -->';
const END = '<!-- the end of what the catalogue says -->';

/**
 * Returns the page with the catalogue between its two markers.
 * @throws Error for a page without the markers.
 */
export function withCatalogue(page: string): string {
  const [before, inner, ...rest] = page.split(BEGIN);
  const [, after] = inner?.split(END) ?? [];
  if (before === undefined || after === undefined || rest.length > 0)
    throw new Error(`The page of reports needs ${BEGIN} and ${END}, each once.`);
  const sections = Object.values(CATALOGUE).map(sectionOf).join('\n');
  return `${before}${BEGIN}\n\n${sections}\n${END}${after}`;
}

function sectionOf(source: Source): string {
  return [
    `### ${source.label}: \`${source.key}\``,
    '',
    source.description,
    '',
    table(
      ['metric', 'format', 'meaning', 'computed as'],
      source.metrics.map((metric) => metricRow(source, metric)),
    ),
    '',
    table(
      ['dimension and filter', 'type', 'meaning', 'operators and values'],
      source.dimensions.map(dimensionRow),
    ),
    '',
  ].join('\n');
}

function metricRow(source: Source, metric: Metric): string[] {
  const formula = metric.computation.kind === 'count' ? 'a count' : formulaOf(source, metric);
  return [`\`${metric.key}\``, metric.format, metric.description, formula];
}

function dimensionRow(dimension: Dimension): string[] {
  const { key, type, description, values, valueKind } = dimension;
  const [first, last] = [values?.[0], values?.at(-1)];
  const isRange = valueKind === 'integer' && first !== undefined && last !== undefined;
  const listed = isRange ? `${first} to ${last}` : values?.map((value) => `\`${value}\``).join(', ');
  const operators = operatorsOf(dimension)
    .map((operator) => `\`${operator}\``)
    .join(', ');
  return [`\`${key}\``, type, description, listed === undefined ? operators : `${operators}; ${listed}`];
}

/** Formats a table like Prettier, so that Prettier leaves it unchanged. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows].map((row) => row.map((cell) => cell.replaceAll('|', '\\|')));
  const widths = head.map((_, column) => Math.max(...all.map((row) => [...(row[column] ?? '')].length)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - [...cell].length)).join(' | ')} |`;
  const [first = [], ...others] = all;
  return [line(first), line(widths.map((width) => '-'.repeat(width))), ...others.map(line)].join('\n');
}
