/**
 * The pages behind links in report emails: a question that changes nothing, since link scanners open it too, and the
 * result after a button is pressed. They work without scripts, in light and dark mode, and load nothing.
 */
import Handlebars from 'handlebars';
import {
  colourVariables,
  DARK_ACCENT,
  DARK_COLOURS,
  LIGHT_ACCENT,
  LIGHT_COLOURS,
} from '../../../kernel/page-colours.js';
import { pageHeaders } from '../../../platform/http/page-headers.js';
import type { RecipientPage } from '../application/recipient-decisions.js';
import type { LinkKind } from '../application/recipient-links.js';

const STYLE = `:root{color-scheme:light dark;${colourVariables({ ...LIGHT_COLOURS, ...LIGHT_ACCENT })}}
@media (prefers-color-scheme:dark){:root{${colourVariables({ ...DARK_COLOURS, ...DARK_ACCENT })}}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:flex;flex-direction:column;align-items:center;justify-content:center;padding:1.5rem;background:var(--ground);color:var(--text);font:1rem/1.55 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{width:100%;max-width:32rem;padding:2.25rem;border:1px solid var(--line);border-radius:1rem;background:var(--card);overflow-wrap:anywhere}
h1{margin:0 0 .5rem;font-size:1.6rem;line-height:1.25}
p{margin:0 0 .75rem}.soft{color:var(--soft)}
form{margin:1.25rem 0 0}
button{min-height:2.75rem;padding:.6rem 1.4rem;border:1px solid var(--accent);border-radius:.6rem;background:var(--accent);color:var(--onaccent);font:inherit;font-weight:600;cursor:pointer}
:focus-visible{outline:3px solid var(--accent);outline-offset:3px}`;

export const PAGE_HEADERS = pageHeaders(STYLE, "'self'");

const LAYOUT = Handlebars.compile(
  `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex,nofollow"><meta name="color-scheme" content="light dark"><title>{{title}}</title><style>{{{style}}}</style></head>
<body><main><h1>{{title}}</h1>
{{#each texts}}<p>{{this}}</p>
{{/each}}{{#if address}}<p class="soft">{{address}}</p>
{{/if}}{{#if button}}<form method="post" action="{{action}}"><button type="submit">{{button}}</button></form>
{{/if}}</main></body></html>
`,
  { strict: false, knownHelpersOnly: true },
);

interface Content {
  readonly title: string;
  readonly texts: readonly string[];
  readonly address?: string;
  readonly button?: string;
  readonly action?: string;
}

/** Renders the page of a link. @param isDone whether the button was pressed. */
export function renderRecipientPage(kind: LinkKind, page: RecipientPage, isDone: boolean): string {
  return LAYOUT({ style: STYLE, ...contentOf(kind, page, isDone) });
}

export function renderInvalidLink(): string {
  return LAYOUT({
    style: STYLE,
    title: 'This link is not valid',
    texts: ['Please use the complete link from the email.'],
  });
}

function contentOf(kind: LinkKind, { mailed, queries }: RecipientPage, isDone: boolean): Content {
  if (!mailed)
    return { title: 'This report is no longer emailed', texts: ['There is nothing left to stop.'] };
  const { report, workspace, address, status } = mailed;
  // Relative, since BASE_URL may have a path that a proxy removes.
  const stop = { button: 'Stop this report', action: `stop${queries.stop}` };
  const confirm = { button: 'Receive this report', action: `confirm${queries.confirm}` };
  const about = `${workspace} sends the report ${report} by email.`;
  if (status === 'confirmed' && (isDone || kind === 'confirm'))
    return { title: 'You receive this report', texts: [about], address, ...stop };
  if (kind === 'confirm')
    return { title: 'Do you want to receive this report by email?', texts: [about], address, ...confirm };
  if (isDone || status === 'stopped')
    return {
      title: 'You will no longer receive this report',
      texts: [`${workspace} no longer sends the report ${report} to this address.`],
      address,
      ...confirm,
    };
  return { title: 'Stop this report?', texts: [about], address, ...stop };
}
