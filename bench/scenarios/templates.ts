/**
 * Templates alone, in a process of their own: renderings of a marketing email of 30 KB against Handlebars, the time
 * that reading hostile and large sources takes by the byte, and the processor time of the dearest renderings.
 */
import { shown, type Comparison } from '../measure.js';
import { askOnce } from '../program.js';
import type { TemplateQuestion, TemplateReport } from '../template-work.js';
import type { Run } from '../run.js';

/** Reading 2 MB must not take longer than this, whatever they are, in seconds; nor saving an honest 1.2 MB. */
const READ_WITHIN = 1;
const DEAREST_RENDERING = 0.25;
/** Time by the byte may grow by so much from 200 KB to 2 MB. */
const GROWTH = 1.5;

export async function templates(run: Run): Promise<Comparison[]> {
  const question: TemplateQuestion = { rounds: run.scale.rounds, seconds: run.scale.renderSeconds };
  const { renders, hostile, save, dear } = await askOnce<TemplateReport>('template-work', question);
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
      path: `dearest rendering: ${dear.name}`,
      unit: 's',
      reference: [DEAREST_RENDERING],
      ours: dear.seconds,
      target: { atMost: 1 },
      against: `a quarter of a second; ${shown(dear.honest * 1e6)} µs for the email of 30 KB`,
    },
  ];
}
