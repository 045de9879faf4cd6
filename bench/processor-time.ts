/**
 * Processor time beside the rates: what each process used for a piece of work. A shared machine's noise moves it far
 * less than it moves rates.
 */
import { cpuSecondsOfTree } from './machine.js';
import { median } from './measure.js';

/** The processes of one side, by what they are; each with its descendants. */
export type Processes = Readonly<Record<string, number>>;

/** What one measurement did, and what it took. */
export interface Effort {
  readonly units: number;
  /** Processor seconds, by process. */
  readonly seconds: Readonly<Record<string, number>>;
}

/** Runs a piece of work and tells what the processes used meanwhile. */
export async function watched<Result>(
  processes: Processes,
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly seconds: Readonly<Record<string, number>> }> {
  const used = (): [string, number][] =>
    Object.entries(processes).map(([name, pid]) => [name, cpuSecondsOfTree(pid)]);
  const before = new Map(used());
  const result = await work();
  const seconds = Object.fromEntries(used().map(([name, now]) => [name, now - (before.get(name) ?? 0)]));
  return { result, seconds };
}

/** A rate, and what it took: what programs answer that prepare their own fixture first. */
export interface Rate {
  readonly perSecond: number;
  readonly effort: Effort;
}

/** Runs work of so many units and tells its rate and what the processes used meanwhile. */
export async function rated(units: number, processes: Processes, work: () => Promise<void>): Promise<Rate> {
  const begun = performance.now();
  const { seconds } = await watched(processes, work);
  return { perSecond: (units * 1_000) / (performance.now() - begun), effort: { units, seconds } };
}

/** Processor seconds for 1,000 units, by process, the medians of the rounds; and of all of them together. */
export function perThousand(efforts: readonly Effort[]): Readonly<Record<string, number>> {
  const names = Object.keys(efforts[0]?.seconds ?? {});
  const of = (seconds: (effort: Effort) => number): number =>
    median(efforts.map((effort) => (seconds(effort) * 1_000) / effort.units));
  const all = (effort: Effort): number => Object.values(effort.seconds).reduce((sum, used) => sum + used, 0);
  return {
    ...Object.fromEntries(names.map((name) => [name, of(({ seconds }) => seconds[name] ?? 0)])),
    ...(names.length > 1 ? { together: of(all) } : {}),
  };
}
