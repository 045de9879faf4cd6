/** Load over HTTP: what the generator (load-generator.ts, a process of its own) is asked for and what it reports. */
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
  /** Each connection sends its next request when the last is answered, for a time; what comes before is warm-up. */
  | { readonly kind: 'closed'; readonly warmUpSeconds: number; readonly seconds: number }
  /** The same, until each body has been posted once. */
  | { readonly kind: 'each once' }
  /** Requests leave at a fixed rate whatever the answers do; latency counts from the moment a request was due. */
  | {
      readonly kind: 'open';
      readonly perSecond: number;
      readonly warmUpSeconds: number;
      readonly seconds: number;
    };

export interface LoadReport {
  /** All requests that were answered 202, those of the warm-up included. */
  readonly accepted: number;
  /** Answers of any other status, by status; a broken connection counts as 0. */
  readonly refused: Readonly<Record<number, number>>;
  /** Requests answered within the time measured, a second. */
  readonly perSecond: number;
  /** Milliseconds, of the requests within the time measured. */
  readonly p50: number;
  readonly p99: number;
  /** Unix time in milliseconds. */
  readonly firstSentAt: number;
  readonly lastAnsweredAt: number;
}

/**
 * Runs a load and waits for its end.
 * @throws Error when a request is answered with anything but 202: then nothing has been measured.
 */
export async function runLoad(plan: LoadPlan): Promise<LoadReport> {
  const report = await askOnce<LoadReport>('load-generator', plan);
  if (Object.keys(report.refused).length > 0)
    throw new Error(`POST ${plan.path} was answered otherwise than 202: ${JSON.stringify(report.refused)}.`);
  return report;
}
