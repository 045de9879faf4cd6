/**
 * The pages of an unsubscribe link, section 4.8: a question that changes nothing, since link scanners open it too,
 * and the answer after the button. They work without scripts, in light and in dark, and load nothing.
 */
import { createHash } from 'node:crypto';
import Handlebars from 'handlebars';
import type { UnsubscribePage } from '../application/unsubscribe.service.js';

const STYLE = `:root{color-scheme:light dark;--text:#1d2430;--soft:#5b6472;--card:#fff;--ground:#f3f4f6;--accent:#1f4fd8}
@media (prefers-color-scheme:dark){:root{--text:#eceff4;--soft:#a3acb9;--card:#1b2029;--ground:#11141a;--accent:#5b86ff}}
*{box-sizing:border-box}body{margin:0;min-height:100vh;display:grid;place-items:center;padding:1.5rem;background:var(--ground);color:var(--text);font:1rem/1.6 system-ui,sans-serif}
main{width:100%;max-width:27rem;padding:2.25rem;border-radius:.9rem;background:var(--card);box-shadow:0 1px 3px #0003;text-align:center}
h1{margin:0 0 .6rem;font-size:1.35rem;line-height:1.3;overflow-wrap:anywhere}p{margin:0;color:var(--soft);overflow-wrap:anywhere}
form{margin-top:1.6rem}button{font:inherit;font-weight:600;padding:.65rem 1.5rem;border:0;border-radius:.5rem;background:var(--accent);color:#fff;cursor:pointer}
button:focus-visible{outline:3px solid var(--text);outline-offset:2px}`;

/** Headers of every page: nothing runs, nothing is loaded, framed, indexed or kept, and the token is told to nobody. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
  'x-content-type-options': 'nosniff',
};

const LAYOUT = Handlebars.compile(
  `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex,nofollow"><title>{{title}}</title><style>{{{style}}}</style></head>
<body><main><h1>{{title}}</h1>
<p>{{text}}</p>
{{#if action}}<form method="post" action="{{action}}"><button type="submit">Unsubscribe</button></form>
{{/if}}</main></body></html>
`,
  { strict: false, knownHelpersOnly: true },
);

/** The page as HTML; every text that comes from outside is escaped. */
export function renderUnsubscribePage(page: UnsubscribePage): string {
  return LAYOUT({ style: STYLE, ...wordsOf(page) });
}

function wordsOf(page: UnsubscribePage): { title: string; text: string; action?: string } {
  switch (page.kind) {
    case 'question':
      return {
        title: 'Unsubscribe?',
        text: `You will no longer receive emails from ${page.sender}.`,
        action: page.action,
      };
    case 'done':
      return { title: 'You are unsubscribed', text: `${page.sender} will not email you any more.` };
    case 'invalid':
      return {
        title: 'This link is not valid',
        text: 'It may be incomplete. Please open it from the email again.',
      };
  }
}
