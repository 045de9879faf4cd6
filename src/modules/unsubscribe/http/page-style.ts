/**
 * Styles of the page of an unsubscribe link, in light and dark mode. Every pair of text and background has a contrast
 * of at least 4.5:1.
 */
import {
  colourVariables,
  DARK_ACCENT,
  DARK_COLOURS,
  LIGHT_ACCENT,
  LIGHT_COLOURS,
} from '../../../kernel/page-colours.js';

/** Colours by purpose; the style sheet refers to each as `--name`. */
export const PALETTES = {
  light: {
    ...LIGHT_COLOURS,
    ...LIGHT_ACCENT,
    notice: '#e8f0fe',
    onnotice: '#173a8f',
  },
  dark: {
    ...DARK_COLOURS,
    ...DARK_ACCENT,
    notice: '#22304f',
    onnotice: '#d3e0ff',
  },
} as const;

export const STYLE = `:root{color-scheme:light dark;${colourVariables(PALETTES.light)}}
@media (prefers-color-scheme:dark){:root{${colourVariables(PALETTES.dark)}}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:flex;flex-direction:column;align-items:center;justify-content:center;padding:1.5rem;background:var(--ground);color:var(--text);font:1rem/1.55 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;-webkit-text-size-adjust:100%}
header,main{width:100%;max-width:32rem}
header{margin:0 0 .9rem;text-align:center;font-weight:600;color:var(--soft);overflow-wrap:anywhere}
main{padding:2.25rem;border:1px solid var(--line);border-radius:1rem;background:var(--card)}
h1{margin:0 0 .5rem;font-size:1.6rem;line-height:1.25}
h2{margin:0 0 .5rem;font-size:1.1rem;line-height:1.35}
h1,h2,p,label{overflow-wrap:anywhere}
p{margin:0}.soft{color:var(--soft)}
.notice{margin:0 0 1.5rem;padding:.75rem 1rem;border-radius:.6rem;background:var(--notice);color:var(--onnotice);font-weight:600}
section{margin-top:2rem;padding-top:1.75rem;border-top:1px solid var(--line)}
form{margin:1.25rem 0 0}
fieldset{margin:0;padding:0;border:0;min-width:0}
legend{padding:0;color:var(--soft)}
.topic{display:grid;grid-template-columns:auto 1fr;gap:0 .75rem;margin-top:.9rem}
.topic input{width:1.25rem;height:1.25rem;margin:.15rem 0 0;accent-color:var(--accent)}
.topic label{font-weight:600;cursor:pointer}
.topic p{grid-column:2;color:var(--soft);font-size:.925rem}
button{min-height:2.75rem;padding:.6rem 1.4rem;border:1px solid var(--accent);border-radius:.6rem;background:transparent;color:var(--accent);font:inherit;font-weight:600;cursor:pointer}
fieldset+button{margin-top:1.4rem}
button.first{background:var(--accent);color:var(--onaccent)}
button:hover{text-decoration:underline}
:focus-visible{outline:3px solid var(--accent);outline-offset:3px}
@media (max-width:30rem){body{padding:1rem .75rem;justify-content:flex-start}main{padding:1.5rem 1.25rem}button{width:100%}}
@media (prefers-reduced-motion:no-preference){button{transition:background-color .15s}}`;
