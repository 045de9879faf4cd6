/** Maps each job to its processor. The process refuses to start if a job of its queues has no processor, or two. */
import { Injectable } from '@nestjs/common';

@Injectable()
export class JobRegistry {
  private readonly processors = new Map<string, string>();

  /** @throws Error if the job already has a processor. */
  register(job: string, processor: string): void {
    const other = this.processors.get(job);
    if (other !== undefined) throw new Error(`The job ${job} has two processors: ${other} and ${processor}.`);
    this.processors.set(job, processor);
  }

  /** @throws Error naming the jobs without a processor, or the processors of unknown jobs. */
  check(jobs: readonly string[]): void {
    const orphans = jobs.filter((job) => !this.processors.has(job));
    if (orphans.length) throw new Error(`Jobs without a processor: ${orphans.join(', ')}.`);
    const unknownJobs = [...this.processors.keys()].filter((job) => !jobs.includes(job));
    if (unknownJobs.length)
      throw new Error(`Processors of jobs that are not in the catalogue: ${unknownJobs.join(', ')}.`);
  }
}
