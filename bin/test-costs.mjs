/** What a group of tests costs in CPU seconds, so that growth is seen in the run that brings it. */
import { readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;
const LISTED = 10;

/** CPU seconds of a process and of its children that have ended; 0 if it is gone or the system has no /proc. */
export function cpuSecondsOf(pid) {
  return secondsOf(pid, 11, 15);
}

/** CPU seconds of its children that have ended. */
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

/** The files as the cost reporter wrote them, the most expensive first. */
export function readFileCosts(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).sort((a, b) => b.cpuSeconds - a.cpuSeconds);
  } catch {
    return [];
  }
}

/** The table at the end of a run: each group, all of them, and the most expensive files of each. */
export function printCosts(results, { seconds, postgresSeconds }) {
  const column = (value) => value.toFixed(0).padStart(8);
  console.log('\ngroup           files   tests   CPU s');
  const counts = results.map(({ passed, failed, files, cpuSeconds }) => [
    files.length,
    passed + failed,
    cpuSeconds,
  ]);
  for (const [index, { name }] of results.entries())
    console.log(name.padEnd(13) + counts[index].map(column).join(''));
  const sums = [0, 1, 2].map((place) => counts.reduce((sum, values) => sum + values[place], 0));
  console.log('all'.padEnd(13) + sums.map(column).join(''));
  console.log(
    `${postgresSeconds.toFixed(0)} CPU seconds of PostgreSQL besides; ${seconds.toFixed(0)} seconds`,
  );
  for (const { name, files } of results.filter(({ files }) => files.length > 1)) {
    console.log(`\n${name}: CPU seconds of its most expensive files`);
    for (const { path, cpuSeconds } of files.slice(0, LISTED))
      console.log(`${cpuSeconds.toFixed(1).padStart(8)}  ${path}`);
  }
}
