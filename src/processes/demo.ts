/**
 * Creates the demo workspace on an empty database: a live workspace with a key, so that one `curl` command sends an
 * email, and sample contacts, templates, flows and a segment.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INestApplicationContext } from '@nestjs/common';
import { FlowLifeCycle } from '../modules/flows/application/flow-life-cycle.js';
import { FlowService } from '../modules/flows/application/flow.service.js';
import { readFlow } from '../modules/flows/input/flow.input.js';
import { planOf } from '../modules/limits/domain/plan.js';
import { WorkspaceService } from '../modules/workspaces/application/workspace.service.js';
import { seedFile } from './cli/seed.js';

/** Number of workspaces to search. A database with more is not a demo. */
const MAX_WORKSPACES = 1_000;

/** The owner of the demo workspace. */
export const DEMO_OWNER = 'owner@demo.test';

/** What startup prints about the demo workspace. */
export interface Demo {
  readonly workspaceId: string;
  readonly key: string;
}

/** An email with a heading, paragraphs and a last line. */
function page(title: string, heading: string, paragraphs: readonly string[], last: string): string {
  const rows = paragraphs.map(
    (text) => `
        <tr><td style="padding:8px 40px;font-size:17px;line-height:1.6">${text}</td></tr>`,
  );
  return `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${title}</title></head>
  <body style="margin:0;background:#f4f1ea;color:#1f2933;font-family:Georgia,'Times New Roman',serif">
    <table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:40px 16px">
      <table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="width:100%;max-width:560px;background:#ffffff;border-radius:12px">
        <tr><td style="padding:40px 40px 8px;font-size:28px;line-height:1.25">${heading}</td></tr>${rows.join('')}
        <tr><td style="padding:24px 40px 40px;font-size:15px;color:#616e7c">${last}</td></tr>
      </table>
    </td></tr></table>
  </body>
</html>`;
}

const LAST_LINE = 'Sent by Waypost, from your own machine.';
const HEADING = `Hi {the user's First Name, or "there"}!`;

const TEMPLATES = [
  {
    name: 'Welcome',
    slug: 'welcome',
    subject: 'Welcome, {the user\'s First Name, or "friend"}',
    body_html: page(
      'Welcome',
      HEADING,
      [
        `Your first email has arrived. You posted one event; a flow
          listened to it, started a trip for you, and this is the trip's first step.`,
        `You signed up for the
          <strong>{the Plan from the trigger event, or "free"}</strong> plan. Next, open the API documentation, change this
          template, or let the flow wait a day and write again.`,
      ],
      LAST_LINE,
    ),
  },
  {
    name: 'Trial begins',
    slug: 'trial-begins',
    subject: 'Your trial of {the Product from the trigger event, or "everything"} begins',
    body_html: page(
      'Your trial begins',
      HEADING,
      [
        `{if the user's Plan is team}Your whole team can look around: invite them.{else}You have two weeks to look
          around.{end if}`,
        `Tomorrow we show you what others try first.`,
      ],
      LAST_LINE,
    ),
  },
  {
    name: 'Trial tips',
    slug: 'trial-tips',
    subject: 'Three things to try, {the user\'s First Name, or "friend"}',
    body_html: page(
      'Three things to try',
      'Three things to try',
      [
        'Post an event of your own, and watch a trip begin.',
        'Preview a template with the data of a real contact.',
        'Make a segment: {the user\'s City, or "your city"} would be a good one.',
      ],
      LAST_LINE,
    ),
  },
];

const FLOWS = [
  {
    name: 'Welcome',
    description: 'Welcomes new sign-ups.',
    trigger_event: 'signed_up',
    content_type: 'transactional',
    settings: { reentry_policy: 'always' },
    steps: [{ type: 'send_email', template_slug: 'welcome' }],
  },
  {
    name: 'Trial',
    description: 'Onboards new users over their first days. With CLOCK_SPEED=1440, one day takes one minute.',
    trigger_event: 'trial_started',
    content_type: 'promotional',
    settings: { reentry_policy: 'after_completion' },
    steps: [
      { type: 'send_email', template_slug: 'trial-begins' },
      { type: 'update_contact', set: { stage: 'trial' } },
      { type: 'wait', duration: '1d' },
      { type: 'send_email', template_slug: 'trial-tips' },
    ],
  },
];

const FIRST_NAMES = [
  'Ada',
  'Grace',
  'Edsger',
  'Barbara',
  'Donald',
  'Radia',
  'Alan',
  'Frances',
  'Niklaus',
  'Karen',
];
const LAST_NAMES = ['Moreau', 'Okafor', 'Lindqvist', 'Tanaka'];
const CITIES: readonly (readonly [city: string, timezone: string, locale: string])[] = [
  ['Paris', 'Europe/Paris', 'fr-FR'],
  ['Lagos', 'Africa/Lagos', 'en-NG'],
  ['Stockholm', 'Europe/Stockholm', 'sv-SE'],
  ['Osaka', 'Asia/Tokyo', 'ja-JP'],
];
const DEMO_PLANS = ['free', 'pro', 'team'];

/** Every combination of first and last names: forty contacts. */
const CONTACTS = LAST_NAMES.flatMap((last, family) =>
  FIRST_NAMES.map((first, person) => {
    const [city, timezone, locale] = CITIES[family] ?? CITIES[0] ?? ['', 'UTC', 'en'];
    const handle = `${first}.${last}`.toLowerCase();
    const plan = DEMO_PLANS[(family + person) % DEMO_PLANS.length];
    return {
      external_id: handle,
      email: `${handle}@example.com`,
      first_name: first,
      last_name: last,
      timezone,
      locale,
      properties: { plan, city, seats: plan === 'team' ? 3 + person : 1 },
      tags: person % 4 === 0 ? ['beta'] : [],
    };
  }),
);

const SEGMENTS = [
  {
    name: 'Teams in the beta',
    match: 'all',
    conditions: [
      { field: 'properties.plan', operator: 'equals', value: 'team' },
      { field: 'tags', operator: 'contains', value: 'beta' },
    ],
  },
];

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
      members: [{ email: DEMO_OWNER, name: 'Olive Owner', role: 'owner' }],
      api_keys: [{ name: 'demo', scope: 'full', environment: 'live' }],
      templates: TEMPLATES,
      contacts: CONTACTS,
      segments: SEGMENTS,
    },
  ],
};

/**
 * Creates the demo workspace if the database has no workspace. Stores its key in the data directory, so that later
 * starts can print it again.
 * @returns undefined if the database is in use without a demo workspace.
 */
export async function openDemo(app: INestApplicationContext, dataDir: string): Promise<Demo | undefined> {
  const demoFile = join(dataDir, 'demo.json');
  const workspaces = await app.get(WorkspaceService).ids(MAX_WORKSPACES);
  if (workspaces.length > 0) {
    if (!existsSync(demoFile)) return undefined;
    const demo = JSON.parse(readFileSync(demoFile, 'utf8')) as Demo;
    return workspaces.includes(demo.workspaceId) ? demo : undefined;
  }
  const { workspaces: seeded } = await seedFile(SEED, app);
  const [workspace] = seeded;
  const key = workspace?.api_keys?.[0]?.key;
  if (!workspace || key === undefined) throw new Error('The demo workspace could not be created.');
  const flows = app.get(FlowService);
  const scope = { workspaceId: workspace.id, environment: 'live' } as const;
  for (const flow of FLOWS) {
    const { id } = await flows.create(scope, planOf('growth'), readFlow(flow), 'demo');
    await app.get(FlowLifeCycle).activate(scope, id);
  }
  const demo = { workspaceId: workspace.id, key };
  writeFileSync(demoFile, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 });
  return demo;
}
