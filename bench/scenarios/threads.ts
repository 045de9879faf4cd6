/**
 * Whether the API stays responsive while eight clients send it the most expensive templates. The probe is
 * /health/live, a hundred times a second.
 */
import type { CostlyLoad, CostlyReport } from '../costly-senders.js';
import { shown, type Comparison } from '../measure.js';
import type { ProbeReport, Probes } from '../prober.js';
import type { Run } from '../run.js';

const CLIENTS = 8;
/** Milliseconds of the 99th percentile. */
const P99_WITHIN = 50;
/** The minimum duration: expensive work takes seconds, so a sample needs several of them. */
const FEWEST_SECONDS = 10;
const BUSY = 503;

export async function threads(run: Run): Promise<Comparison[]> {
  const product = await run.product('bench_threads');
  const api = await product.startApi();
  const senders = run.program('costly-senders');
  const prober = run.program('prober');
  const seconds = Math.max(FEWEST_SECONDS, run.scale.seconds);
  const p99: number[] = [];
  const longest: number[] = [];
  let worked = 0;
  let refused = 0;
  for (const _ of run.rounds) {
    const load: CostlyLoad = { port: api.port, headers: product.credentials, clients: CLIENTS, seconds };
    const probes: Probes = { port: api.port, path: '/health/live', perSecond: 100, seconds };
    const [{ answers }, report] = await Promise.all([
      senders.ask<CostlyReport>(load),
      prober.ask<ProbeReport>(probes),
    ]);
    p99.push(report.p99);
    longest.push(report.longest);
    for (const [status, count] of Object.entries(answers))
      if (Number(status) === BUSY) refused += count;
      else if (Number(status) >= 500) throw new Error(`A dear body was answered ${status}.`);
      else worked += count;
  }
  if (worked === 0) throw new Error('No dear body was worked on.');
  return [
    {
      path: `/health/live while ${CLIENTS} clients send 2 MB`,
      unit: 'ms p99',
      reference: p99.map(() => P99_WITHIN),
      ours: p99,
      target: { atMost: 1 },
      against: `${P99_WITHIN} ms; ${worked} bodies were worked on, ${refused} refused as too many; the longest answer took ${shown(Math.max(...longest))} ms`,
    },
  ];
}
