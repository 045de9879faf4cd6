/** What a group of tests costs in CPU seconds, so that growth is seen in the run that brings it. */
import { readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;
const LISTED = 10;

/** CPU seconds of a process and of those that it has started and seen end; 0 where it is gone or the system has no /proc. */
export function cpuSecondsOf(pid) {
  return secondsOf(pid, 11, 15);
}

/** The same of those that it has started and seen end alone. */
export function childCpuSecondsOf(pid) {
  return secondsOf(pid, 13, 15);
}

function secondsOf(pid, first, end) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields.slice(first, end).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_PER_SECOND;
  } catch {
    return 0;
  }
}

/** CPU seconds from what a shell's `times` wrote of its children, such as `1m2.30s 0m4.50s` in the second line. */
export function cpuSecondsFromTimes(file) {
  try {
    const [, children = ''] = readFileSync(file, 'utf8').trim().split('\n');
    return [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
      (sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds),
      0,
    );
  } catch {
    return 0;
  }
}

/** The files of a group as the cost reporter wrote them, the most expensive first. */
export function readFileCosts(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).sort((a, b) => b.cpuSeconds - a.cpuSeconds);
  } catch {
    return [];
  }
}

/** The table at the end of a run: each group, and its most expensive files. */
export function printCosts(results) {
  const round = (value) => value.toFixed(0).padStart(8);
  console.log('\ngroup           files   tests   CPU s of tests, of PostgreSQL   seconds');
  for (const {
    name,
    passed,
    failed,
    files = [],
    cpuSeconds = 0,
    postgresSeconds = 0,
    seconds = 0,
  } of results)
    console.log(
      `${name.padEnd(13)}${round(files.length)}${round(passed + failed)}${round(cpuSeconds)}${round(postgresSeconds).padEnd(23)}${round(seconds)}`,
    );
  for (const { name, files = [] } of results.filter(({ files }) => files?.length > 1)) {
    console.log(`\n${name}: CPU seconds of its most expensive files`);
    for (const { path, cpuSeconds } of files.slice(0, LISTED))
      console.log(`${cpuSeconds.toFixed(1).padStart(8)}  ${path}`);
  }
}
