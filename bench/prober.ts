/** Requests a small answer at a fixed rate from its own process; latency counts from the moment a request was due. */
import { Agent, get } from 'node:http';
import { percentile } from './measure.js';
import { answerQuestions } from './program.js';

export interface Probes {
  readonly port: number;
  readonly path: string;
  readonly perSecond: number;
  readonly seconds: number;
}

/** Times in milliseconds. */
export interface ProbeReport {
  readonly p50: number;
  readonly p99: number;
  readonly longest: number;
}

answerQuestions<Probes>(async ({ port, path, perSecond, seconds }) => {
  const agent = new Agent({ keepAlive: true });
  const begun = performance.now();
  const probe = async (index: number): Promise<number> => {
    const due = begun + (index * 1_000) / perSecond;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())));
    await new Promise<void>((resolve, reject) => {
      get({ port, path, agent }, (answer) => {
        if (answer.statusCode !== 200) reject(new Error(`${path} answered ${answer.statusCode}.`));
        answer.resume().once('end', resolve);
      }).once('error', reject);
    });
    return performance.now() - due;
  };
  const latencies = await Promise.all(
    Array.from({ length: perSecond * seconds }, (_, index) => probe(index)),
  );
  agent.destroy();
  latencies.sort((a, b) => a - b);
  return {
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
    longest: latencies.at(-1) ?? Number.NaN,
  } satisfies ProbeReport;
});
