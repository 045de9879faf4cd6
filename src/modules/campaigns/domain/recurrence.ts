/** When a recurring campaign is sent. */
export interface Recurrence {
  readonly frequency: 'daily' | 'weekly' | 'monthly';
  readonly dayOfWeek: number | null;
  readonly dayOfMonth: number | null;
  readonly hour: number;
  readonly minute: number;
  readonly timezone: string;
  readonly endsAt: Date | null;
  readonly maxInstances: number | null;
}
