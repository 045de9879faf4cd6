/**
 * The layout of the product's mail: one column, readable in light and dark mode, on a phone and without HTML. It loads
 * nothing and has no tracking. Handlebars escapes all external values.
 */
import Handlebars from 'handlebars';
import { DARK_ACCENT, DARK_COLOURS, LIGHT_ACCENT, LIGHT_COLOURS } from '../../../kernel/page-colours.js';
import type { NoticeContent } from '../domain/notice-content.js';

const FONT = `-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif`;

/** The colours of dark mode are in a style sheet: programs without style sheets keep the light ones. */
const HTML = Handlebars.compile(
  `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><meta name="format-detection" content="telephone=no,date=no,address=no"><title>{{title}}</title>
<style>:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (max-width:520px){.card{padding:28px 22px !important}.page{padding:16px 10px !important}}
@media (prefers-color-scheme:dark){.page{background:${DARK_COLOURS.ground} !important}.card{background:${DARK_COLOURS.card} !important;border-color:${DARK_COLOURS.line} !important}h1,p,td{color:${DARK_COLOURS.text} !important}.soft,.soft td,.brand{color:${DARK_COLOURS.soft} !important}.line{border-color:${DARK_COLOURS.line} !important}.button{background:${DARK_ACCENT.accent} !important;color:${DARK_ACCENT.onaccent} !important}}</style></head>
<body style="margin:0;padding:0;background:${LIGHT_COLOURS.ground}" class="page">
<div style="display:none;max-height:0;overflow:hidden">{{preview}}</div>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td align="center" class="page" style="padding:32px 16px;background:${LIGHT_COLOURS.ground}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:520px">
<tr><td class="brand" style="padding:0 0 16px 4px;font:600 15px/20px ${FONT};color:${LIGHT_COLOURS.soft}">Waypost</td></tr>
<tr><td class="card" style="padding:36px;background:${LIGHT_COLOURS.card};border:1px solid ${LIGHT_COLOURS.line};border-radius:14px">
<h1 style="margin:0 0 16px;font:600 22px/29px ${FONT};color:${LIGHT_COLOURS.text};overflow-wrap:anywhere">{{title}}</h1>
{{#each paragraphs}}<p style="margin:0 0 14px;font:400 16px/25px ${FONT};color:${LIGHT_COLOURS.text};overflow-wrap:anywhere">{{this}}</p>
{{/each}}{{#if facts}}<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 14px">
{{#each facts}}<tr><td class="soft line" style="padding:9px 12px 9px 0;border-top:1px solid ${LIGHT_COLOURS.line};font:400 15px/22px ${FONT};color:${LIGHT_COLOURS.soft}">{{label}}</td><td class="line" align="right" style="padding:9px 0;border-top:1px solid ${LIGHT_COLOURS.line};font:600 15px/22px ${FONT};color:${LIGHT_COLOURS.text}">{{value}}</td></tr>
{{/each}}</table>
{{/if}}{{#if action}}<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:24px 0 22px"><tr><td><a class="button" href="{{action.url}}" style="display:inline-block;padding:12px 24px;border-radius:9px;background:${LIGHT_ACCENT.accent};color:${LIGHT_ACCENT.onaccent};font:600 16px/22px ${FONT};text-decoration:none">{{action.label}}</a></td></tr></table>
{{/if}}{{#each remarks}}<p class="soft" style="margin:0;padding:6px 0 0;font:400 14px/21px ${FONT};color:${LIGHT_COLOURS.soft};overflow-wrap:anywhere">{{this}}</p>
{{/each}}</td></tr></table></td></tr></table></body></html>
`,
  { strict: false, knownHelpersOnly: true },
);

const TEXT = Handlebars.compile(
  `{{title}}

{{#each paragraphs}}{{this}}

{{/each}}{{#if facts}}{{#each facts}}{{label}}: {{value}}
{{/each}}

{{/if}}{{#if action}}{{action.label}}:
{{action.url}}

{{/if}}{{#each remarks}}{{this}}
{{/each}}

-- 
Waypost
`,
  { strict: false, knownHelpersOnly: true, noEscape: true },
);

/** The HTML and text bodies of a mail. */
export function renderNotice(content: NoticeContent): { readonly html: string; readonly text: string } {
  return { html: HTML({ ...content, preview: content.paragraphs[0] }), text: TEXT(content) };
}
