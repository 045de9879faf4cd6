/**
 * Measures what rollups of reports cost the writers: ingest and mail on two databases, one without the triggers
 * that record changes and activity. Compares processor time, because the cost is smaller than the noise in the
 * rates of a shared machine.
 */
import { median, shown, type Comparison } from './measure.js';
import type { Service } from './product.js';
import type { Run } from './run.js';
import {
  BATCH_LOAD,
  efforts,
  measureAlternately,
  perProcessorSecond,
  SINGLE_LOAD,
  type Side,
} from './scenarios/ingest.js';
import { fromEvents, mailingProduct, sinkOf } from './scenarios/mail.js';

const AT_LEAST = 0.95;
const AGAINST = 'the same without the triggers that note changes, and without notes of steps and of activity';

const BARE = `
DO $$ DECLARE one record; BEGIN
  FOR one IN SELECT tgname, tgrelid::regclass AS relation FROM pg_trigger WHERE NOT tgisinternal AND tgname LIKE 'note\\_%'
    AND tgrelid = ANY ('{email_logs,trips,events,contacts,goal_conversions}'::regclass[])
  LOOP EXECUTE format('DROP TRIGGER %I ON %s', one.tgname, one.relation); END LOOP; END $$;
CREATE FUNCTION keep_nothing() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
CREATE TRIGGER keep_nothing BEFORE INSERT ON contact_activity FOR EACH ROW EXECUTE FUNCTION keep_nothing();
CREATE TRIGGER keep_nothing BEFORE INSERT ON step_changes FOR EACH ROW EXECUTE FUNCTION keep_nothing()`;

export async function rollupCosts(run: Run): Promise<Comparison[]> {
  return [...(await ingested(run)), await mailed(run)];
}

/** A worker adds the pending changes to the rollups at the same time. */
async function ingested(run: Run): Promise<Comparison[]> {
  const started: Service[] = [];
  const side = async (database: string, bare: boolean): Promise<Side> => {
    const product = await run.product(database);
    if (bare) await run.postgres.query(database, BARE);
    const [api, worker] = [await product.startApi(), await product.startWorker('metrics')];
    started.push(api, worker);
    const processes = { API: api.pid, worker: worker.pid, PostgreSQL: run.postgres.pid };
    return { database, port: api.port, headers: product.credentials, processes };
  };
  const bare = await side('bench_ingest_bare', true);
  const noting = await side('bench_ingest_noting', false);
  const comparisons: Comparison[] = [];
  for (const [what, load] of [
    ['ingest, single events', SINGLE_LOAD],
    [`ingest, batches of ${BATCH_LOAD.eventsEach}`, BATCH_LOAD],
  ] as const) {
    const pace = { kind: 'closed', warmUpSeconds: 1.5, seconds: run.scale.seconds } as const;
    const rounds = await measureAlternately(run, bare, noting, load, pace);
    printRates(what, rounds, load.eventsEach);
    comparisons.push({
      path: `${what}, keeping the sums of reports`,
      unit: 'events/processor second',
      reference: rounds.reference.map(perProcessorSecond),
      ours: rounds.ours.map(perProcessorSecond),
      target: { atLeast: AT_LEAST },
      against: AGAINST,
      effort: efforts(rounds),
    });
  }
  await Promise.all(started.map((service) => service.stop()));
  return comparisons;
}

async function mailed(run: Run): Promise<Comparison> {
  const { sink, port } = await sinkOf(run);
  const bare = await mailingProduct(run, port, 'bench_mail_bare');
  await run.postgres.query(bare.product.database, BARE);
  const noting = await mailingProduct(run, port, 'bench_mail_noting');
  const rounds = {
    reference: [] as Awaited<ReturnType<typeof fromEvents>>[],
    ours: [] as Awaited<ReturnType<typeof fromEvents>>[],
  };
  for (const round of run.rounds) {
    rounds.reference.push(await fromEvents(run, sink, bare, `bare-${round}`));
    rounds.ours.push(await fromEvents(run, sink, noting, `noting-${round}`));
  }
  await Promise.all([bare.service.stop(), noting.service.stop()]);
  printRates('event → flow → mail', rounds, 1);
  return {
    path: 'event → flow → mail, 27 KB, keeping the sums of reports',
    unit: 'mails/processor second',
    reference: rounds.reference.map(perProcessorSecond),
    ours: rounds.ours.map(perProcessorSecond),
    target: { atLeast: AT_LEAST },
    against: AGAINST,
    effort: efforts(rounds),
  };
}

/** Prints the rates, for information only. */
function printRates(
  what: string,
  rounds: Readonly<Record<'reference' | 'ours', readonly { readonly perSecond: number }[]>>,
  each: number,
): void {
  const rate = (side: readonly { readonly perSecond: number }[]): number =>
    median(side.map(({ perSecond }) => perSecond * each));
  const [without, withSums] = [rate(rounds.reference), rate(rounds.ours)];
  console.log(
    `${what}: ${shown(withSums)}/s with sums kept, ${shown(without)}/s without (${(withSums / without).toFixed(2)})`,
  );
}
