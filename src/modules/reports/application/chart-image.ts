/**
 * A report's chart as a picture, for mail programs, which show no SVG. It is drawn by native code on a thread of Node's own
 * pool, with fonts that come with the product, since a server may have none.
 */
import { createRequire } from 'node:module';
import { renderAsync, type ResvgRenderOptions } from '@resvg/resvg-js';
import { chartSvg } from '../domain/chart/chart-svg.js';
import type { ReportData } from '../domain/report-data.js';

/** Pixels of the picture: mails show it half as wide. */
export const CHART_IMAGE = { width: 1_200, height: 760 } as const;
/** What it is drawn as: small, so that its words can be read on a telephone. */
const DRAWN = { width: 450, height: 285 } as const;
/** No picture of such a chart comes near it. */
const MOST_BYTES = 500 * 1024;

const { resolve } = createRequire(import.meta.url);

const FONTS: NonNullable<ResvgRenderOptions['font']> = {
  fontFiles: [
    resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf'),
    resolve('@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf'),
    // Writings that Inter does not have.
    resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'),
  ],
  loadSystemFonts: false,
  defaultFontFamily: 'Inter',
  sansSerifFamily: 'DejaVu Sans',
};

/** Writings of none of these fonts, such as Chinese, Hindi and emoji: the machine's own fonts may have them. */
const FURTHER = /[^\u0000-\u077f\u1e00-\u2bff\ufb13-\ufefc]/u;

/**
 * The chart as PNG, on a light ground. A report whose chart is a table is drawn in bars.
 * @throws Error where the picture cannot be drawn.
 */
export async function chartPng(data: ReportData): Promise<Buffer> {
  const drawn = data.chartType === 'table' ? { ...data, chartType: 'bar' as const } : data;
  const svg = chartSvg(drawn, { ...DRAWN, theme: 'light' });
  const image = await renderAsync(svg, {
    font: { ...FONTS, loadSystemFonts: FURTHER.test(svg) },
    fitTo: { mode: 'width', value: CHART_IMAGE.width },
    logLevel: 'off',
  });
  const png = image.asPng();
  if (png.length > MOST_BYTES) throw new RangeError(`The chart image is too large: ${png.length} bytes.`);
  return png;
}
