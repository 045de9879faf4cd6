/** The caller's options for when and how fast a campaign is sent. */

/** How fast, and in which time zone. */
export interface RequestedPace {
  readonly localTime: boolean;
  readonly maxPerHour: number | null;
}

export interface RequestedSchedule extends RequestedPace {
  readonly scheduledAt: Date;
  /** The caller's UTC offset in minutes. */
  readonly scheduledOffset: number;
}
