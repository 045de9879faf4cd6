/** Which messages of a campaign's instance are meant, of those that wait: a stretch in the order of their contacts. */

/** Those that are held by the campaign's pause, those that are not, or all. */
export type WaitingKind = 'held' | 'free' | 'all';

export interface CampaignStretch {
  readonly kind: WaitingKind;
  /** The last contact of the stretch before; null at the beginning. */
  readonly after: string | null;
  readonly limit: number;
}
