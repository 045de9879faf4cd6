/** Facts about the machine, and the processor time that processes have used. */
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, release, totalmem } from 'node:os';

export interface MachineFacts {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly os: string;
  readonly node: string;
  /** Load average of the last minute when the run began: the machine's other work. */
  readonly loadBefore: number;
}

export function machineFacts(): MachineFacts {
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / 2 ** 30),
    os: `${process.platform} ${release()} ${process.arch}`,
    node: process.version,
    loadBefore: Math.round((loadavg()[0] ?? 0) * 100) / 100,
  };
}

/** The unit in which Linux reports the processor time of processes that have ended. */
const TICKS_PER_SECOND = 100;

/** Processor seconds used by a process and all its descendants, including those that have ended. Linux only. */
export function cpuSecondsOfTree(root: number): number {
  const parents = new Map<number, number>();
  for (const entry of readdirSync('/proc')) {
    const pid = Number(entry);
    const parent = Number.isInteger(pid) ? Number(fieldsOf(pid)?.[1]) : Number.NaN;
    if (!Number.isNaN(parent)) parents.set(pid, parent);
  }
  const tree = [root];
  for (const pid of tree) for (const [child, parent] of parents) if (parent === pid) tree.push(child);
  return tree.reduce((sum, pid) => sum + runSeconds(pid) + endedChildrenSeconds(pid), 0);
}

/** For all threads, from the scheduler's nanoseconds: an idle process uses less than one tick per second. */
function runSeconds(pid: number): number {
  const ofThread = (thread: string): number => {
    const text = read(`/proc/${pid}/task/${thread}/schedstat`);
    return Number(text?.split(' ')[0] ?? 0) / 1e9;
  };
  try {
    return readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => sum + ofThread(thread), 0);
  } catch {
    // The process has ended; its parent counts its time.
    return 0;
  }
}

function endedChildrenSeconds(pid: number): number {
  const fields = fieldsOf(pid);
  return fields ? (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND : 0;
}

/** The fields of /proc/PID/stat after the name: state, parent, … */
function fieldsOf(pid: number): string[] | undefined {
  const text = read(`/proc/${pid}/stat`);
  return text?.slice(text.lastIndexOf(')') + 2).split(' ');
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // Processes start and end while this function reads them.
    return undefined;
  }
}

/** Resident memory of a process. */
export function residentMegabytes(pid: number): number {
  const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1_024;
}
