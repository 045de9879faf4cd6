/** The facts that a test has written, and the expected rows of each rollup level. */
import type { TenantScope } from '../../src/kernel/tenant-scope.js';
import { LEVELS, type RollupName } from '../../src/modules/metrics/domain/rollup.js';
import { DAY, HOUR } from '../support/clock.js';

/** Values of one fact for the rollup that counts it: dimensions as texts, in the order of COLUMNS. */
export interface Fact {
  readonly scope: TenantScope;
  readonly name: RollupName;
  at: Date;
  dimensions: readonly string[];
  counters: readonly number[];
  retired: boolean;
  /** Whether it currently counts. */
  isThere: boolean;
}

/** Everything that a run has written. */
export class Written {
  readonly facts: Fact[] = [];

  add(
    scope: TenantScope,
    name: RollupName,
    at: Date,
    dimensions: readonly string[],
    counters: readonly number[],
  ): Fact {
    const fact = { scope, name, at, dimensions, counters, retired: false, isThere: true };
    this.facts.push(fact);
    return fact;
  }

  /** The expected rows of a level. */
  counted(name: RollupName, level: number): Record<string, number[]> {
    const unit = level === LEVELS.day || level === LEVELS.dayByDomain ? DAY : HOUR;
    const byDomain = level === LEVELS.dayByDomain || level === LEVELS.hourByDomain;
    const counted: Record<string, number[]> = {};
    for (const fact of this.facts) {
      if (fact.name !== name || !fact.isThere) continue;
      const at = new Date(Math.floor(fact.at.getTime() / unit) * unit).toISOString();
      const dimensions =
        name === 'email' && !byDomain
          ? [...fact.dimensions.slice(0, -2), '', ...fact.dimensions.slice(-1)]
          : fact.dimensions;
      const key = [fact.scope.workspaceId, fact.scope.environment, at, ...dimensions, fact.retired].join('|');
      counted[key] = fact.counters.map((counter, i) => counter + (counted[key]?.[i] ?? 0));
    }
    return Object.fromEntries(Object.entries(counted).filter(([, all]) => all.some((one) => one !== 0)));
  }
}
