/** GET /invitations/{id}: the link in an invitation mail. */
import { Controller, Get, Inject, Param, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import Handlebars from 'handlebars';
import { DomainError } from '../../../kernel/domain-error.js';
import { isUuid } from '../../../kernel/tenant-scope.js';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../../platform/config/config.js';
import { colourVariables, DARK_COLOURS, LIGHT_COLOURS } from '../../../kernel/page-colours.js';
import { pageHeaders } from '../../../platform/http/page-headers.js';
import { Public } from '../../access/public.decorator.js';
import { INVITATION_PATH } from '../domain/notice-content.js';

/**
 * The page behind the link in an invitation mail. It is the same for any id, shows nothing of a workspace, and changes
 * nothing: to accept an invitation, a person must prove that the address is theirs, and links are also opened by
 * machines. It works without scripts, in light and dark mode, and loads nothing.
 */
const STYLE = `:root{color-scheme:light dark;${colourVariables(LIGHT_COLOURS)}}
@media (prefers-color-scheme:dark){:root{${colourVariables(DARK_COLOURS)}}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:flex;flex-direction:column;align-items:center;justify-content:center;padding:1.5rem;background:var(--ground);color:var(--text);font:1rem/1.55 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{width:100%;max-width:34rem;padding:2.25rem;border:1px solid var(--line);border-radius:1rem;background:var(--card)}
h1{margin:0 0 .75rem;font-size:1.6rem;line-height:1.25}h2{margin:1.75rem 0 .5rem;font-size:1.1rem}
p{margin:0 0 .75rem}.soft{color:var(--soft)}
pre{margin:0;padding:.9rem 1rem;border:1px solid var(--line);border-radius:.6rem;background:var(--ground);font:.875rem/1.5 ui-monospace,Menlo,Consolas,monospace;white-space:pre-wrap;overflow-wrap:anywhere}
@media (max-width:30rem){body{padding:1rem .75rem;justify-content:flex-start}main{padding:1.5rem 1.25rem}}`;

const PAGE_HEADERS = pageHeaders(STYLE, "'none'");

const PAGE = Handlebars.compile(
  `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex,nofollow"><meta name="color-scheme" content="light dark"><title>An invitation – Waypost</title><style>{{{style}}}</style></head>
<body><main><h1>You are invited to a workspace</h1>
<p>Sign in with the email address that received the invitation. It only works for this address. You find it in your list of invitations until you accept it.</p>
<p class="soft">If you did not expect this invitation, close this page. You only join the workspace if you accept.</p>
<h2>With the API</h2>
<p>Use a token from your identity provider with a verified email address:</p>
<pre>curl -X POST {{accept}} -H "Authorization: Bearer $TOKEN"</pre>
</main></body></html>
`,
  { strict: true, knownHelpersOnly: true },
);

/** @param id of the invitation, a UUID. */
function renderInvitationPage(baseUrl: string, id: string): string {
  return PAGE({ style: STYLE, accept: `${baseUrl}/v1/workspace/members/invitations/${id}/accept` });
}

@ApiExcludeController()
@Controller(INVITATION_PATH.slice(1))
export class InvitationPageController {
  constructor(@Inject(RUNTIME_CONFIG) private readonly config: RuntimeConfig) {}

  @Get(':id')
  @Public()
  async page(@Param('id') id: string, @Res() reply: FastifyReply): Promise<void> {
    if (!isUuid(id)) throw new DomainError('not_found', 'No such page exists.');
    await reply.status(200).headers(PAGE_HEADERS).send(renderInvitationPage(this.config.baseUrl, id));
  }
}
