/**
 * Renders a report's chart as PNG for mail programs, which do not show SVG. Native code draws it on a thread of Node's
 * own pool, with fonts that ship with the product, since a server may have none.
 */
import { createRequire } from 'node:module';
import { renderAsync, type ResvgRenderOptions } from '@resvg/resvg-js';
import { chartSvg } from '../domain/chart/chart-svg.js';
import type { ReportData } from '../domain/report-data.js';

/** Size of the image in pixels. Emails show it at half this size. */
export const CHART_IMAGE = { width: 1_200, height: 760 } as const;
/** Size at which the chart is laid out: small, so that its labels are readable on a phone. */
const LAYOUT_SIZE = { width: 450, height: 285 } as const;
/** No image of such a chart comes near this size. */
const MAX_IMAGE_BYTES = 500 * 1024;

const { resolve } = createRequire(import.meta.url);

const FONTS: NonNullable<ResvgRenderOptions['font']> = {
  fontFiles: [
    resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf'),
    resolve('@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf'),
    // Scripts that Inter does not cover.
    resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'),
  ],
  loadSystemFonts: false,
  defaultFontFamily: 'Inter',
  sansSerifFamily: 'DejaVu Sans',
};

/** Scripts that none of these fonts cover, such as Chinese, Hindi and emoji; the machine's own fonts may. */
const UNCOVERED_SCRIPTS = /[^\u0000-\u077f\u1e00-\u2bff\ufb13-\ufefc]/u;

/**
 * Returns the chart as PNG on a light background. A report with the chart type table is drawn as bars.
 * @throws Error if the image cannot be drawn.
 */
export async function chartPng(data: ReportData): Promise<Buffer> {
  const chart = data.chartType === 'table' ? { ...data, chartType: 'bar' as const } : data;
  const svg = chartSvg(chart, { ...LAYOUT_SIZE, theme: 'light' });
  const image = await renderAsync(svg, {
    font: { ...FONTS, loadSystemFonts: UNCOVERED_SCRIPTS.test(svg) },
    fitTo: { mode: 'width', value: CHART_IMAGE.width },
    logLevel: 'off',
  });
  const png = image.asPng();
  if (png.length > MAX_IMAGE_BYTES)
    throw new RangeError(`The chart image is too large: ${png.length} bytes.`);
  return png;
}
