/**
 * Asks the registry for known vulnerabilities of the product's dependencies. Fails on high and critical ones that are
 * not accepted below, and prints the others. If the registry does not answer (no network, a mirror without
 * advisories), only AUDIT=required fails.
 */
import { spawnSync } from 'node:child_process';

/** Advisories that do not reach us: `'GHSA-…': { until: 'YYYY-MM-DD', because: '…' }`. */
const ACCEPTED = {};
const FAILING = new Set(['high', 'critical']);
/** One attempt of at most twenty seconds, so that a missing network does not cost minutes. */
const BOUNDS = ['--fetch-retries=0', '--fetch-timeout=20000'];

const { stdout } = spawnSync('npm', ['audit', '--json', '--omit=dev', ...BOUNDS], {
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
});
const report = parsed(stdout);

if (report?.auditReportVersion !== 2) {
  console.log(`Audit: the registry told of no advisories (${report?.message ?? 'no answer'}).`);
  process.exit(process.env.AUDIT === 'required' ? 1 : 0);
}

const advisories = new Map(
  Object.values(report.vulnerabilities)
    .flatMap(({ via }) => via.filter((reason) => typeof reason === 'object'))
    .map((advisory) => [advisory.url, advisory]),
);
let failing = 0;
for (const { url, name, title, severity, range } of advisories.values()) {
  const accepted = ACCEPTED[url.split('/').at(-1)];
  const isAccepted = accepted !== undefined && new Date() < new Date(accepted.until);
  if (FAILING.has(severity) && !isAccepted) failing++;
  const note = isAccepted ? ` accepted until ${accepted.until}, because ${accepted.because}` : '';
  console.log(`${severity}: ${name} ${range}: ${title} (${url})${note}`);
}
console.log(`Audit: ${advisories.size} advisories, ${failing} of them to be mended before all else.`);
process.exit(failing > 0 ? 1 : 0);

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
