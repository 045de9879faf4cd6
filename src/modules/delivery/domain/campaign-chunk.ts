/** Selects queued messages of a campaign instance: a chunk in the order of their contacts. */

/** Messages held by the campaign's pause, messages that are not, or all. */
export type WaitingKind = 'held' | 'free' | 'all';

export interface CampaignChunk {
  readonly kind: WaitingKind;
  /** The last contact of the previous chunk; null at the start. */
  readonly after: string | null;
  readonly limit: number;
}
