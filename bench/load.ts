/** Load over HTTP: the request to the generator (load-generator.ts, its own process) and its report. */
import type { BodyRecipe } from './bodies.js';
import { askOnce } from './program.js';

export interface LoadPlan {
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bodies: BodyRecipe;
  readonly connections: number;
  readonly pace: Pace;
}

export type Pace =
  /**
   * Each connection sends its next request after the previous answer, for a time; the warm-up before it does not
   * count.
   */
  | { readonly kind: 'closed'; readonly warmUpSeconds: number; readonly seconds: number }
  /** The same, until each body has been posted once. */
  | { readonly kind: 'each once' }
  /** Requests leave at a fixed rate, independent of the answers; latency counts from the moment a request was due. */
  | {
      readonly kind: 'open';
      readonly perSecond: number;
      readonly warmUpSeconds: number;
      readonly seconds: number;
    };

export interface LoadReport {
  /** All requests answered with 202, including the warm-up. */
  readonly accepted: number;
  /** Number of answers with any other status, by status; a broken connection counts as 0. */
  readonly refused: Readonly<Record<number, number>>;
  /** Answered requests per second, within the measured time. */
  readonly perSecond: number;
  /** Milliseconds, for the requests within the measured time. */
  readonly p50: number;
  readonly p99: number;
  /** Unix time in milliseconds. */
  readonly firstSentAt: number;
  readonly lastAnsweredAt: number;
}

/**
 * Runs a load and waits until it ends.
 * @throws Error when any answer is not 202, since the measurement is then void.
 */
export async function runLoad(plan: LoadPlan): Promise<LoadReport> {
  const report = await askOnce<LoadReport>('load-generator', plan);
  if (Object.keys(report.refused).length > 0)
    throw new Error(`POST ${plan.path} was answered otherwise than 202: ${JSON.stringify(report.refused)}.`);
  return report;
}
