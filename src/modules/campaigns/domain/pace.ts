/** What callers say of when and how fast a campaign is sent. */

/** How fast, and by whose clocks. */
export interface WantedPace {
  readonly localTime: boolean;
  readonly maxPerHour: number | null;
}

export interface WantedSchedule extends WantedPace {
  readonly scheduledAt: Date;
  /** Minutes that the wall clock of the caller is ahead of UTC. */
  readonly scheduledOffset: number;
}
