/**
 * The styles of report pages: on a desktop, on a phone, in light and dark mode, and on paper, which is always light.
 */
import { colourVariables, DARK_COLOURS, LIGHT_COLOURS } from '../../../kernel/page-colours.js';
import { CHART_VARIABLES } from '../domain/chart/chart-theme.js';

/**
 * Colours by purpose; the style sheet calls each `--name`. Every pair of text and background has a contrast of 4.5:1.
 */
export const PALETTES = {
  light: {
    ...LIGHT_COLOURS,
    tile: LIGHT_COLOURS.ground,
    notice: '#fdf6e0',
    onnotice: '#4d3b00',
  },
  dark: {
    ...DARK_COLOURS,
    tile: '#242b36',
    notice: '#3a3320',
    onnotice: '#f5e6b8',
  },
} as const;

function variables(theme: 'light' | 'dark'): string {
  return `${colourVariables(PALETTES[theme])};${CHART_VARIABLES[theme]}`;
}

export const STYLE = `:root{color-scheme:light dark;${variables('light')}}
@media (prefers-color-scheme:dark){:root{${variables('dark')}}}
*{box-sizing:border-box}
body{margin:0;padding:2rem 1.5rem;background:var(--ground);color:var(--text);font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;-webkit-text-size-adjust:100%}
main{max-width:66rem;margin:0 auto;padding:2.25rem;border:1px solid var(--line);border-radius:1rem;background:var(--card)}
main.small{max-width:32rem;margin-top:15vh}
h1{margin:0;font-size:1.75rem;line-height:1.25;overflow-wrap:anywhere}
p{margin:0}.soft{color:var(--soft)}
.about{margin-top:.5rem;overflow-wrap:anywhere}.range{margin-top:.35rem}
dl{display:grid;grid-template-columns:repeat(auto-fit,minmax(11rem,1fr));gap:.75rem;margin:1.75rem 0 0}
dl div{padding:1rem 1.15rem;border-radius:.75rem;background:var(--tile)}
dt{color:var(--soft);font-size:.9rem;overflow-wrap:anywhere}
dd{margin:0}.value{font-size:1.7rem;font-weight:650;line-height:1.3;font-variant-numeric:tabular-nums}
.change{font-size:.9rem;color:var(--soft)}.change b{color:var(--text);font-weight:600}
figure{margin:2rem 0 0}svg{display:block;width:100%;height:auto}
.narrow{display:none}
.unusual{margin:2rem 0 0;padding:1rem 1.25rem;border-radius:.75rem;background:var(--notice);color:var(--onnotice)}
.unusual h2{margin:0;font-size:1rem}.unusual ul{margin:.35rem 0 0;padding-left:1.2rem}
.rows{margin:2rem 0 0;overflow-x:auto}
table{width:100%;border-collapse:collapse;font-size:.925rem;line-height:1.35;font-variant-numeric:tabular-nums}
caption{padding:0 0 .5rem;text-align:left;font-weight:600}
th{padding:.5rem .75rem;border-bottom:2px solid var(--line);color:var(--soft);text-align:left;vertical-align:bottom;font-weight:600}
td{padding:.45rem .75rem;border-bottom:1px solid var(--line);overflow-wrap:anywhere;min-width:6rem}
th:first-child,td:first-child{padding-left:0}th:last-child,td:last-child{padding-right:0}
.figure{text-align:right}.figure,.short,.change span{white-space:nowrap;min-width:0}th.figure{white-space:normal}
.rest{margin-top:.75rem;font-size:.9rem}
footer{max-width:66rem;margin:1rem auto 0;padding:0 .25rem;color:var(--soft);font-size:.85rem}
@media (max-width:40rem){body{padding:.75rem .5rem}main{padding:1.25rem 1rem}h1{font-size:1.4rem}dl{grid-template-columns:1fr 1fr;gap:.5rem}dl div{padding:.75rem .85rem}.value{font-size:1.3rem}.wide{display:none}.narrow{display:block}th,td{padding:.4rem .5rem}}
@page{margin:14mm}
@media print{:root{color-scheme:light;${variables('light')}}*{-webkit-print-color-adjust:exact;print-color-adjust:exact}
body{padding:0;background:#fff;font-size:10pt}main{max-width:none;padding:0;border:0;border-radius:0}h1{font-size:18pt}
dl{margin-top:12pt;gap:6pt;grid-template-columns:repeat(auto-fit,minmax(34mm,1fr))}dl div{padding:7pt 9pt;break-inside:avoid}.value{font-size:15pt}
figure,.unusual{margin-top:14pt;break-inside:avoid}.wide{display:block}.narrow{display:none}
.rows{margin-top:14pt;overflow:visible}table{font-size:9pt}thead{display:table-header-group}tr{break-inside:avoid}td,th{padding:3pt 6pt}
footer{margin-top:10pt;padding:0}}`;
