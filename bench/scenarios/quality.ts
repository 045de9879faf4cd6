/**
 * The time from request to completion of a quality analysis of a 100 KB marketing email, over HTTP. Measures quick
 * runs, and, where `BROWSER_PATH` names a Chromium, full runs with renderings and screenshots in every client.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Comparison } from '../measure.js';
import type { Service } from '../product.js';
import { mustEqual, type Run } from '../run.js';

const DATABASE = 'bench_quality';
/** Characters of the body. */
const SIZE = 100_000;
/** Seconds within which a run must end. */
const QUICK_WITHIN = 1;
const FULL_WITHIN = 5;
const LOOKS_EVERY_MS = 20;
const TIMES = 3;

interface Job {
  readonly job_id: string;
  readonly status: string;
  readonly checks: readonly {
    readonly name: string;
    readonly status: string;
    readonly detail: string | null;
  }[];
}

export async function quality(run: Run): Promise<Comparison[]> {
  const product = await run.product(DATABASE);
  const browser = process.env['BROWSER_PATH'];
  const env = browser === undefined ? {} : { BROWSER_PATH: browser };
  const api = await product.startApi(env);
  await product.startWorker('inspections,full-inspections', env);
  const runOf = (mode: string): Promise<number> => secondsOf(api, mode);

  async function secondsOf(service: Service, mode: string): Promise<number> {
    const begun = performance.now();
    const asked = { template_slug: 'newsletter', mode };
    const { job_id: id } = await product.call<Job>(service, '/v1/inspect', asked, product.owner);
    for (;;) {
      const url = `http://127.0.0.1:${service.port}/v1/inspect/${id}`;
      const job = (await (await fetch(url, { headers: product.owner })).json()) as Job;
      if (job.status === 'completed') {
        const failed = job.checks.filter(({ status }) => status === 'failed');
        mustEqual(`failed checks of a ${mode} run`, failed.length, 0);
        return (performance.now() - begun) / 1_000;
      }
      if (job.status === 'failed') throw new Error(`A ${mode} run failed: ${JSON.stringify(job)}`);
      await sleep(LOOKS_EVERY_MS);
    }
  }

  const template = {
    name: 'Newsletter',
    slug: 'newsletter',
    subject: 'What is new',
    body_html: newsletter(),
  };
  await product.call(api, '/v1/templates', template);
  // Warm-up: one uncounted run of each kind, because threads and the browser start with the first.
  await runOf('quick');
  if (browser !== undefined) await runOf('full');
  const [quick, full]: number[][] = [[], []];
  for (const _ of run.rounds)
    for (let time = 0; time < TIMES; time++) {
      quick?.push(await runOf('quick'));
      if (browser !== undefined) full?.push(await runOf('full'));
    }
  const path = `of ${SIZE.toLocaleString('en')} characters, from request to end`;
  const judged = (name: string, within: number, ours: number[]): Comparison => ({
    path: `${name} run ${path}`,
    unit: 's',
    reference: [within],
    ours,
    target: { atMost: 1 },
    against: 'what it may take',
  });
  return [
    judged('quick', QUICK_WITHIN, quick ?? []),
    ...(browser === undefined ? [] : [judged('full', FULL_WITHIN, full ?? [])]),
  ];
}

/** A typical newsletter: nested tables, inline styles, and styles for phones and dark mode. */
function newsletter(): string {
  const head = `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>What is new</title>
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<style>.card{padding:16px}.more{color:#0b57d0}@media (max-width:600px){.card{width:100%!important}}
@media (prefers-color-scheme:dark){.card{background-color:#202124!important;color:#e8eaed!important}}</style></head>
<body style="margin:0;background-color:#f1f3f4"><div style="display:none">All that happened this month</div>
<table role="presentation" width="600" align="center" cellpadding="0" cellspacing="0">`;
  const foot = '</table></body></html>';
  let body = '';
  for (let index = 1; head.length + body.length + foot.length < SIZE; index++)
    body += `<tr><td class="card" style="background-color:#ffffff;color:#202124;font-family:Arial,sans-serif;font-size:15px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td width="96">
<h2 style="font-size:18px;margin:0 0 8px">Story ${index} of this month</h2></td>
<td style="padding-left:12px"><p style="margin:0 0 8px;line-height:22px">What happened, told in two sentences for number ${index}.
It was worth waiting for, and there is more to read.</p>
<a class="more" href="#story-${index}" id="story-${index}" style="color:#0b57d0;text-decoration:none">Read story ${index}</a></td></tr></table></td></tr>\n`;
  return head + body + foot;
}
