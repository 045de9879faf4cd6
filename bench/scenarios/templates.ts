/**
 * Templates alone, in their own process: renderings of a marketing email of 30 KB against Handlebars, the parse
 * time per byte of hostile and large sources, and the processor time of the most expensive renderings.
 */
import { shown, type Comparison } from '../measure.js';
import { askOnce } from '../program.js';
import type { TemplateQuestion, TemplateReport } from '../template-work.js';
import type { Run } from '../run.js';

/** Seconds within which any source of 2 MB must be parsed, and an ordinary one of 1.2 MB saved. */
const READ_WITHIN = 1;
const DEAREST_RENDERING = 0.25;
/** Factor by which the time per byte may grow from 200 KB to 2 MB. */
const GROWTH = 1.5;

export async function templates(run: Run): Promise<Comparison[]> {
  const question: TemplateQuestion = { rounds: run.scale.rounds, seconds: run.scale.renderSeconds };
  const { renders, hostile, save, costliest } = await askOnce<TemplateReport>('template-work', question);
  return [
    {
      path: 'renderings of 30 KB',
      unit: 'emails/s',
      reference: renders.handlebars,
      ours: renders.ours,
      target: { atLeast: 1 },
      against: 'Handlebars, compiled before',
    },
    ...hostile.map(({ name, small, large, seconds }): Comparison => ({
      path: `reading 2 MB: ${name}`,
      unit: 'ns/byte',
      reference: small,
      ours: large,
      target: { atMost: GROWTH },
      against: `200 KB of the same; 2 MB take ${shown(Math.max(...seconds) * 1_000)} ms at most`,
    })),
    {
      path: 'reading 2 MB: the longest',
      unit: 's',
      reference: [READ_WITHIN],
      ours: [Math.max(...hostile.flatMap(({ seconds }) => seconds))],
      target: { atMost: 1 },
      against: 'a second',
    },
    {
      path: 'saving 1.2 MB, 20,000 expressions',
      unit: 'ns/byte',
      reference: save.small,
      ours: save.large,
      target: { atMost: GROWTH },
      against: `30 KB of the same; 1.2 MB take ${shown(Math.max(...save.seconds) * 1_000)} ms at most`,
    },
    {
      path: `dearest rendering: ${costliest.name}`,
      unit: 's',
      reference: [DEAREST_RENDERING],
      ours: costliest.seconds,
      target: { atMost: 1 },
      against: `a quarter of a second; ${shown(costliest.honest * 1e6)} µs for the email of 30 KB`,
    },
  ];
}
