/** The style sheet of the mailbox's page: light and dark, desktop and phone. */
export const PAGE_STYLE = `
:root {
  --ground: #f4f3ef; --panel: #fbfaf7; --card: #ffffff; --line: #e4e1d9; --ink: #1d2422; --soft: #68716d; --faint: #77807b;
  --accent: #0d7a66; --accent-ink: #0b6654; --accent-wash: #e2f1ec; --hover: #f1efe9;
  --live: #0b6654; --live-wash: #dcf0e9; --test: #8a5200; --test-wash: #fbecd0; --danger: #b3352b; --shadow: 0 1px 2px #1d24220d, 0 8px 24px #1d242212;
  --mono: ui-monospace, 'SF Mono', 'Cascadia Code', Menlo, Consolas, 'DejaVu Sans Mono', monospace;
  font: 14px/1.5 system-ui, -apple-system, 'Segoe UI', Inter, Roboto, 'Helvetica Neue', 'DejaVu Sans', sans-serif;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #121615; --panel: #171c1b; --card: #1d2322; --line: #2b3331; --ink: #e8ece9; --soft: #a1aba6; --faint: #8b9690;
    --accent: #43c3a4; --accent-ink: #6fd8bd; --accent-wash: #17342d; --hover: #1f2625;
    --live: #6fd8bd; --live-wash: #17342d; --test: #f2c06b; --test-wash: #3a2c12; --danger: #ff8b7e; --shadow: 0 1px 2px #0006, 0 8px 24px #0005;
  }
}
* { box-sizing: border-box; margin: 0; }
[hidden] { display: none !important; }
html, body { height: 100%; }
body { display: grid; grid-template-rows: auto 1fr; background: var(--ground); color: var(--ink); overflow: hidden; }
button, input { font: inherit; color: inherit; }
button { cursor: pointer; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
svg { fill: none; stroke: currentColor; stroke-width: 1.6; stroke-linecap: round; stroke-linejoin: round; }
kbd { font: 11px/1.5 var(--mono); color: var(--soft); border: 1px solid var(--line); border-bottom-width: 2px; border-radius: 5px; padding: 0 5px; background: var(--card); }

.bar { display: flex; align-items: center; gap: 14px; padding: 10px 16px; background: var(--panel); border-bottom: 1px solid var(--line); }
.brand { display: flex; align-items: center; gap: 10px; color: inherit; text-decoration: none; font-size: 15px; letter-spacing: -.01em; white-space: nowrap; border-radius: 8px; }
.brand b { font-weight: 400; color: var(--soft); }
.brand span { font-weight: 650; }
.mark { width: 30px; height: 30px; stroke: #fff; stroke-width: 1.8; }
.mark rect { fill: #0d7a66; stroke: none; }
.search { flex: 1; max-width: 520px; margin: 0 auto; display: flex; align-items: center; gap: 8px; padding: 0 10px; height: 36px; background: var(--card); border: 1px solid var(--line); border-radius: 10px; }
.search:focus-within { border-color: var(--accent); box-shadow: 0 0 0 3px var(--accent-wash); }
.search:focus-within kbd { visibility: hidden; }
.search svg { width: 16px; height: 16px; flex: none; color: var(--faint); }
.search input { flex: 1; min-width: 0; border: 0; background: none; outline: 0; }
.search input::placeholder { color: var(--faint); }
.live { display: flex; align-items: center; gap: 7px; color: var(--soft); font-size: 12.5px; }
.live i { width: 8px; height: 8px; border-radius: 50%; background: var(--accent); box-shadow: 0 0 0 3px var(--accent-wash); }
.live.off i { background: var(--danger); box-shadow: none; }
.quiet { display: inline-flex; align-items: center; height: 32px; padding: 0 12px; border: 1px solid var(--line); border-radius: 8px; background: var(--card); color: var(--soft); font-size: 13px; text-decoration: none; }
.quiet:hover { color: var(--ink); background: var(--hover); }
.quiet:disabled { opacity: .45; cursor: default; }

main { display: grid; grid-template-columns: minmax(300px, 380px) minmax(0, 1fr); min-height: 0; }
main:has(.bare) { grid-template-columns: minmax(0, 1fr); }
main:has(.bare) aside { display: none; }
aside { display: grid; grid-template-rows: auto 1fr; min-height: 0; background: var(--panel); border-right: 1px solid var(--line); }
.count { padding: 10px 18px 8px; color: var(--faint); font-size: 12px; border-bottom: 1px solid var(--line); }
#list { list-style: none; padding: 6px; overflow-y: auto; scrollbar-width: thin; outline-offset: -3px; }
.row { position: relative; display: grid; grid-template-columns: 36px minmax(0, 1fr) auto; gap: 1px 11px; padding: 10px 12px; border-radius: 10px; cursor: pointer; content-visibility: auto; contain-intrinsic-size: auto 64px; }
.row:hover { background: var(--hover); }
.row[aria-selected=true] { background: var(--accent-wash); }
.row .face { grid-row: span 2; align-self: center; }
.face { display: grid; place-items: center; flex: none; width: 36px; height: 36px; border-radius: 50%; font-weight: 650; font-size: 14px; color: hsl(var(--hue) 45% 27%); background: hsl(var(--hue) 48% 88%); }
@media (prefers-color-scheme: dark) { .face { color: hsl(var(--hue) 60% 82%); background: hsl(var(--hue) 28% 26%); } }
.row .who, .row .what { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.row .who { color: var(--soft); font-size: 13px; }
.row .what { color: var(--ink); }
.row time { justify-self: end; color: var(--faint); font-size: 12px; white-space: nowrap; font-variant-numeric: tabular-nums; }
.row .badge { justify-self: end; align-self: center; }
.row.new .what, .row.new .who { font-weight: 650; color: var(--ink); }
.row.new time { color: var(--accent-ink); font-weight: 600; }
.row.arriving { animation: arrive .45s ease-out; }
@keyframes arrive { from { opacity: 0; transform: translateY(-8px); background: var(--accent-wash); } }
@media (prefers-reduced-motion: reduce) { .row.arriving { animation: none; } }
.badge { flex: none; padding: 0 8px; border-radius: 99px; font-size: 11px; line-height: 18px; font-weight: 600; letter-spacing: .02em; }
.badge.live { display: inline-block; color: var(--live); background: var(--live-wash); }
.badge.test { color: var(--test); background: var(--test-wash); }
.none { padding: 36px 24px; text-align: center; color: var(--soft); }

#reader { min-width: 0; min-height: 0; display: grid; }
.blank { align-self: center; justify-self: center; max-width: 430px; padding: 32px; text-align: center; color: var(--soft); }
.blank h1 { margin: 18px 0 8px; font-size: 21px; letter-spacing: -.015em; color: var(--ink); font-weight: 650; }
.blank p + p { margin-top: 8px; }
.art { width: 208px; }
.art .paper { fill: var(--card); stroke: var(--line); stroke-width: 2; }
.art .flap { stroke: var(--accent); stroke-width: 2.5; }
.art .trail { stroke: var(--line); stroke-width: 2.5; stroke-dasharray: 1 8; }
.art .seal { fill: var(--accent); stroke: var(--ground); stroke-width: 4; }
.art .tick { stroke: var(--ground); stroke-width: 2.4; }

#message { display: grid; grid-template-rows: auto minmax(0, 1fr); min-height: 0; min-width: 0; }
.head { padding: 18px 24px 0; min-width: 0; }
.title { display: flex; align-items: flex-start; gap: 8px; }
.title h1 { flex: 1; min-width: 0; font-size: 20px; line-height: 30px; letter-spacing: -.015em; font-weight: 650; overflow-wrap: anywhere; }
.title .badge { margin-top: 7px; }
.title .badge:not(:empty) { margin-right: 6px; }
#delete:hover { color: var(--danger); border-color: var(--danger); }
.back { display: none; flex: none; width: 32px; height: 32px; margin-left: -8px; padding: 5px; border: 0; background: none; border-radius: 8px; }
.people { display: flex; align-items: center; gap: 12px; margin-top: 12px; }
.people dl { flex: 1; min-width: 0; display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 0 10px; font-size: 13.5px; }
.people dt { color: var(--faint); }
.people dd { overflow-wrap: anywhere; }
.people time { color: var(--soft); font-size: 12.5px; text-align: right; white-space: pre-line; }
.files { display: flex; flex-wrap: wrap; gap: 6px; margin-top: 12px; }
.files span { padding: 2px 10px; border: 1px solid var(--line); border-radius: 99px; font-size: 12px; color: var(--soft); background: var(--card); }
.tabs { display: flex; align-items: flex-end; justify-content: space-between; margin-top: 12px; border-bottom: 1px solid var(--line); }
.tabs [role=tab] { padding: 8px 2px 9px; margin-right: 20px; border: 0; border-bottom: 2px solid transparent; margin-bottom: -1px; background: none; color: var(--soft); font-size: 13.5px; }
.tabs [role=tab]:hover { color: var(--ink); }
.tabs [role=tab][aria-selected=true] { color: var(--accent-ink); border-color: var(--accent); font-weight: 600; }
.tabs [role=tab]:disabled { color: var(--faint); opacity: .55; cursor: default; }
.widths { display: flex; gap: 2px; margin-bottom: 5px; padding: 2px; border: 1px solid var(--line); border-radius: 9px; background: var(--card); }
.widths button { width: 30px; height: 26px; padding: 4px 6px; border: 0; border-radius: 6px; background: none; color: var(--faint); }
.widths button[aria-pressed=true] { background: var(--accent-wash); color: var(--accent-ink); }
.widths svg { display: block; width: 18px; height: 18px; }
.view { min-height: 0; min-width: 0; overflow: auto; padding: 18px 24px 24px; scrollbar-width: thin; }
#view-html { display: flex; justify-content: center; overflow: hidden; }
iframe { flex: 1; height: 100%; max-width: 100%; border: 0; border-radius: 12px; background: #fff; color-scheme: light; box-shadow: var(--shadow); transition: max-width .2s; }
iframe.phone { max-width: 390px; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; }
pre.text { font: inherit; font-size: 14.5px; line-height: 1.65; }
pre.text > * { max-width: 72ch; }
pre.code { font: 12.5px/1.6 var(--mono); color: var(--soft); }
#headers { display: grid; grid-template-columns: minmax(120px, auto) minmax(0, 1fr); font-size: 13px; background: var(--card); border: 1px solid var(--line); border-radius: 12px; overflow: hidden; }
#headers > * { padding: 7px 16px; border-top: 1px solid var(--line); }
#headers > :nth-child(-n+2) { border-top: 0; }
#headers dt { color: var(--soft); font-weight: 600; white-space: nowrap; }
#headers dd { font: 12.5px/1.6 var(--mono); overflow-wrap: anywhere; }

dialog { margin: auto; border: 1px solid var(--line); border-radius: 16px; padding: 24px; max-width: 400px; background: var(--card); color: var(--ink); box-shadow: var(--shadow); }
dialog::backdrop { background: #0b100f73; }
dialog h2 { font-size: 17px; letter-spacing: -.01em; }
dialog p { margin: 8px 0 20px; color: var(--soft); }
dialog form > div { display: flex; justify-content: flex-end; gap: 8px; }
.danger { height: 32px; padding: 0 14px; border: 0; border-radius: 8px; background: #b3352b; color: #fff; font-size: 13px; font-weight: 600; }

@media (max-width: 760px) {
  .bar { flex-wrap: wrap; gap: 10px; }
  .brand { flex: 1; }
  .search { order: 9; flex-basis: 100%; max-width: none; }
  .search kbd { display: none; }
  main { grid-template-columns: minmax(0, 1fr); }
  aside { border-right: 0; }
  body:not(.reading) #reader:not(.bare) { display: none; }
  body.reading aside, body.reading .search { display: none; }
  .back { display: block; }
  .head { padding: 14px 16px 0; }
  .title { flex-wrap: wrap; }
  .title h1 { font-size: 18px; }
  .people { flex-wrap: wrap; }
  .people time { flex-basis: 100%; text-align: left; white-space: normal; }
  .widths, #download { display: none; }
  .view { padding: 14px 16px; }
  #view-html { padding: 0; }
  iframe { border-radius: 0; box-shadow: none; }
  #headers { grid-template-columns: minmax(0, 1fr); }
  #headers dt { padding-bottom: 0; }
  #headers dd { border-top: 0; padding-top: 0; }
}
`;
