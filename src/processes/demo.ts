/**
 * What a newcomer finds on an empty database: a live workspace with a key, a template, and a flow that greets whoever
 * signs up, so that one `curl` line makes an email arrive.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INestApplicationContext } from '@nestjs/common';
import { FlowService } from '../modules/flows/application/flow.service.js';
import { readFlow } from '../modules/flows/domain/read-flow.js';
import { planOf } from '../modules/limits/domain/plan.js';
import { WorkspaceService } from '../modules/workspaces/application/workspace.service.js';
import { seedFile } from './cli/seed.js';

/** A database with more workspaces than these is no demo's any more. */
const MOST_LOOKED_AT = 1_000;

/** What the start prints about the demo workspace. */
export interface Demo {
  readonly workspaceId: string;
  readonly key: string;
}

const BODY = `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>Welcome</title></head>
  <body style="margin:0;background:#f4f1ea;color:#1f2933;font-family:Georgia,'Times New Roman',serif">
    <table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:40px 16px">
      <table role="presentation" width="560" cellpadding="0" cellspacing="0" style="max-width:560px;background:#ffffff;border-radius:12px">
        <tr><td style="padding:40px 40px 8px;font-size:28px;line-height:1.25">Hi {the user's First Name, or "there"}!</td></tr>
        <tr><td style="padding:8px 40px;font-size:17px;line-height:1.6">Your first email has arrived. You posted one event; a flow
          listened to it, started a trip for you, and this is the trip's first step.</td></tr>
        <tr><td style="padding:8px 40px;font-size:17px;line-height:1.6">You signed up for the
          <strong>{the Plan from the trigger event, or "free"}</strong> plan. Next, open the API documentation, change this
          template, or let the flow wait a day and write again.</td></tr>
        <tr><td style="padding:24px 40px 40px;font-size:15px;color:#616e7c">Sent by Waypost, from your own machine.</td></tr>
      </table>
    </td></tr></table>
  </body>
</html>`;

const SEED = {
  workspaces: [
    {
      name: 'Demo',
      plan: 'growth',
      account_email_verified: true,
      live: true,
      company: {
        name: 'Demo Company',
        address_line1: '1 Main Street',
        city: 'Springfield',
        region: 'IL',
        postal_code: '62701',
        country: 'US',
      },
      sender: { from_email: 'hello@mail.localhost', from_name: 'Demo Company' },
      members: [{ email: 'owner@demo.test', name: 'Olive Owner', role: 'owner' }],
      api_keys: [{ name: 'demo', scope: 'full', environment: 'live' }],
      templates: [
        {
          name: 'Welcome',
          slug: 'welcome',
          subject: 'Welcome, {the user\'s First Name, or "friend"}',
          body_html: BODY,
        },
      ],
    },
  ],
};

/**
 * Makes the demo workspace when the database has no workspace at all. Its key is kept beside the data, so that later
 * starts can print it again.
 * @returns undefined when the database is in use without a demo workspace.
 */
export async function openDemo(app: INestApplicationContext, dataDir: string): Promise<Demo | undefined> {
  const note = join(dataDir, 'demo.json');
  const workspaces = await app.get(WorkspaceService).ids(MOST_LOOKED_AT);
  if (workspaces.length > 0) {
    if (!existsSync(note)) return undefined;
    const demo = JSON.parse(readFileSync(note, 'utf8')) as Demo;
    return workspaces.includes(demo.workspaceId) ? demo : undefined;
  }
  const { workspaces: seeded } = await seedFile(SEED, app);
  const [workspace] = seeded;
  const key = workspace?.api_keys?.[0]?.key;
  if (!workspace || key === undefined) throw new Error('The demo workspace could not be made.');
  const flows = app.get(FlowService);
  const scope = { workspaceId: workspace.id, environment: 'live' } as const;
  const flow = await flows.create(
    scope,
    planOf('growth'),
    readFlow({
      name: 'Welcome',
      description: 'Greets everybody who signs up.',
      trigger_event: 'signed_up',
      content_type: 'transactional',
      settings: { reentry_policy: 'always' },
      steps: [{ type: 'send_email', template_slug: 'welcome' }],
    }),
    'demo',
  );
  await flows.activate(scope, flow.id);
  const demo = { workspaceId: workspace.id, key };
  writeFileSync(note, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 });
  return demo;
}
