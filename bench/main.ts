/**
 * `npm run bench`: compares the service with minimal references that do the same work. Both are measured in the
 * same run, in turns, on the same machine and database server; the result is the ratio of their medians.
 * docs/benchmarks.md describes each scenario.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { machineFacts } from './machine.js';
import { judge, table, type Comparison, type Verdict } from './measure.js';
import { BenchPostgres } from './postgres.js';
import { FULL, QUICK, Run, withShareOfFacts } from './run.js';
import { campaigns } from './scenarios/campaigns.js';
import { contacts } from './scenarios/contacts.js';
import { imports } from './scenarios/imports.js';
import { goals } from './scenarios/goals.js';
import { flows } from './scenarios/flows.js';
import { ingest } from './scenarios/ingest.js';
import { mail } from './scenarios/mail.js';
import { parked } from './scenarios/parked.js';
import { quality } from './scenarios/quality.js';
import { reports } from './scenarios/reports.js';
import { sending } from './scenarios/sending.js';
import { steps } from './scenarios/steps.js';
import { simulation } from './scenarios/simulation.js';
import { templates } from './scenarios/templates.js';
import { threads } from './scenarios/threads.js';
import { trips } from './scenarios/trips.js';
import { wakes } from './scenarios/wakes.js';

const SCENARIOS: Readonly<Record<string, (run: Run) => Promise<Comparison[]>>> = {
  ingest,
  trips,
  steps,
  wakes,
  mail,
  sending,
  parked,
  contacts,
  imports,
  campaigns,
  quality,
  reports,
  goals,
  flows,
  simulation,
  templates,
  threads,
};
const USAGE = `npm run bench -- [--only ${Object.keys(SCENARIOS).join(',')}] [--quick] [--facts SHARE] [--json FILE] [--profile FOLDER]`;

/** Returns the exit code: 0 when every target is met. */
export async function main(args: string[]): Promise<number> {
  const options = readOptions(args);
  if (options === undefined) {
    console.error(`Usage: ${USAGE}`);
    return 1;
  }
  const machine = machineFacts();
  console.log(
    `${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB, ${machine.os}, Node ${machine.node}; ` +
      `load before the run ${machine.loadBefore}`,
  );
  if (options.quick) console.log('A quick look: one round and less of everything; the whole run decides.');
  if (options.facts !== 1) console.log(`Reports count ${options.facts} of their rows; all of them decide.`);
  if (options.profile !== undefined) mkdirSync(options.profile, { recursive: true });

  const begun = performance.now();
  const postgres = await BenchPostgres.start();
  const verdicts: Verdict[] = [];
  const run = new Run(
    postgres,
    withShareOfFacts(options.quick ? QUICK : FULL, options.facts),
    options.profile,
  );
  let tidied: Promise<void> | undefined;
  const tidy = (): Promise<void> => (tidied ??= run.close().then(() => postgres.stop()));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => void tidy().finally(() => process.exit(130)));
  try {
    for (const name of options.only) {
      const comparisons = (await SCENARIOS[name]?.(run)) ?? [];
      await run.close();
      verdicts.push(...comparisons.map(judge));
      const seconds = Math.round((performance.now() - begun) / 1_000);
      console.log(`\n${name}, ${seconds} s after the start:\n${table(comparisons.map(judge))}`);
    }
  } finally {
    await tidy();
  }
  if (options.only.length > 1) console.log(`\nAll:\n${table(verdicts)}`);
  if (options.json !== undefined)
    writeFileSync(
      options.json,
      `${JSON.stringify({ at: new Date(), machine, quick: options.quick, facts: options.facts, verdicts }, null, 2)}\n`,
    );
  const missed = verdicts.filter(({ pass }) => !pass).length;
  console.log(
    missed === 0 ? '\nEvery target is met.' : `\n${missed} of ${verdicts.length} targets are missed.`,
  );
  return missed === 0 ? 0 : 1;
}

interface Options {
  readonly only: readonly string[];
  readonly quick: boolean;
  /** Share of the rows that reports count. */
  readonly facts: number;
  readonly json: string | undefined;
  readonly profile: string | undefined;
}

function readOptions(args: string[]): Options | undefined {
  try {
    const { values } = parseArgs({
      args,
      options: {
        only: { type: 'string' },
        quick: { type: 'boolean', default: false },
        facts: { type: 'string', default: '1' },
        json: { type: 'string' },
        profile: { type: 'string' },
      },
    });
    const only = values.only?.split(',') ?? Object.keys(SCENARIOS);
    if (!only.every((name) => Object.hasOwn(SCENARIOS, name))) return undefined;
    const facts = Number(values.facts);
    if (!(facts > 0 && facts <= 1)) return undefined;
    const path = (given: string | undefined): string | undefined =>
      given === undefined ? undefined : resolve(given);
    return { only, quick: values.quick, facts, json: path(values.json), profile: path(values.profile) };
  } catch {
    // parseArgs rejected an argument: print the usage.
    return undefined;
  }
}
