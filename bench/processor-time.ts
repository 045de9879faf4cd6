/**
 * Processor time in addition to rates: what each process used for a piece of work. The noise of a shared machine
 * affects it far less than it affects rates.
 */
import { cpuSecondsOfTree } from './machine.js';

/** Root process ids of one side, by name; each includes its descendants. */
export type Processes = Readonly<Record<string, number>>;

/** The amount of work of one measurement, and the processor time it took. */
export interface Effort {
  readonly units: number;
  /** Processor seconds by process. */
  readonly seconds: Readonly<Record<string, number>>;
}

/** Runs a piece of work and reports the processor time of the processes during it. */
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

/** A rate and its processor time: the answer of programs that prepare their own fixture. */
export interface Rate {
  readonly perSecond: number;
  readonly effort: Effort;
}

/** Runs work of `units` units, and reports its rate and the processor time of the processes. */
export async function rated(units: number, processes: Processes, work: () => Promise<void>): Promise<Rate> {
  const begun = performance.now();
  const { seconds } = await watched(processes, work);
  return { perSecond: (units * 1_000) / (performance.now() - begun), effort: { units, seconds } };
}
