/** The context of every scenario: the database server, the amount to measure, and the clean-up afterwards. */
import type { BenchPostgres } from './postgres.js';
import { Product } from './product.js';
import { Program } from './program.js';
import { shareOf, type FactSizes } from './report-facts.js';

/** How much is measured. */
export interface Scale {
  readonly rounds: number;
  /** Seconds of load in one measurement. */
  readonly seconds: number;
  readonly dueTrips: number;
  readonly queueJobs: number;
  readonly mails: number;
  /** Messages of a fan-out, and of the backlog ahead of one urgent message. */
  readonly fanOut: number;
  readonly parkedMany: number;
  readonly parkedFew: number;
  readonly dueAmongParked: number;
  readonly tripsOfTenSteps: number;
  readonly wakesPerSecond: number;
  readonly wakeSeconds: number;
  readonly idleSeconds: number;
  readonly contacts: number;
  /** Rows of the imported file, and number of profiles of the platform. */
  readonly importRows: number;
  readonly importProfiles: number;
  /** Contacts in a campaign's audience. */
  readonly audience: number;
  readonly recipients: number;
  readonly convertingTrips: number;
  /** Facts that reports count, for the first of two tenants. */
  readonly reportFacts: FactSizes;
  /** Seconds of rendering for each side in each round. */
  readonly renderSeconds: number;
}

/** The full measurement. */
export const FULL: Scale = {
  rounds: 3,
  seconds: 6,
  dueTrips: 60_000,
  queueJobs: 10_000,
  mails: 10_000,
  fanOut: 49_500,
  parkedMany: 1_000_000,
  parkedFew: 10_000,
  dueAmongParked: 20_000,
  tripsOfTenSteps: 50_000,
  wakesPerSecond: 5_000,
  wakeSeconds: 10,
  idleSeconds: 12,
  contacts: 1_000_000,
  importRows: 1_000_000,
  importProfiles: 200_000,
  audience: 500_000,
  recipients: 1_000_000,
  convertingTrips: 5_000_000,
  reportFacts: { emails: 10_000_000, trips: 5_000_000, events: 5_000_000, contacts: 1_000_000 },
  renderSeconds: 4,
};

/** A short run that shows large changes only. */
export const QUICK: Scale = {
  rounds: 1,
  seconds: 3,
  dueTrips: 20_000,
  queueJobs: 3_000,
  mails: 2_000,
  fanOut: 49_500,
  parkedMany: 200_000,
  parkedFew: 10_000,
  dueAmongParked: 10_000,
  tripsOfTenSteps: 10_000,
  wakesPerSecond: 5_000,
  wakeSeconds: 4,
  idleSeconds: 5,
  contacts: 200_000,
  importRows: 200_000,
  importProfiles: 40_000,
  audience: 100_000,
  recipients: 200_000,
  convertingTrips: 1_000_000,
  reportFacts: { emails: 500_000, trips: 250_000, events: 250_000, contacts: 50_000 },
  renderSeconds: 1,
};

/** The same with a share of the rows that reports count, for machines on which all of them take too long. */
export function withShareOfFacts(scale: Scale, share: number): Scale {
  return { ...scale, reportFacts: shareOf(scale.reportFacts, share) };
}

export class Run {
  private readonly closers: (() => Promise<void>)[] = [];

  constructor(
    readonly postgres: BenchPostgres,
    readonly scale: Scale,
    private readonly profileDir: string | undefined,
  ) {}

  /** The numbers of the rounds. */
  get rounds(): number[] {
    return Array.from({ length: this.scale.rounds }, (_, round) => round);
  }

  async product(database: string): Promise<Product> {
    const product = await Product.open(this.postgres, database, this.profileDir);
    this.closers.push(() => product.close());
    return product;
  }

  program(name: string): Program {
    const program = Program.start(name);
    this.closers.push(() => program.stop());
    return program;
  }

  /** Stops everything that the scenario started, in reverse order. */
  async close(): Promise<void> {
    for (const close of this.closers.splice(0).reverse()) await close();
  }
}

/** Checks that two numbers are equal. If they differ, the measurement did not measure the intended work. */
export function mustEqual(what: string, found: number, expected: number): void {
  if (found !== expected) throw new Error(`${what}: ${found} found, ${expected} expected.`);
}
