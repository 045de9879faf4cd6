/** The period that a report request covers, section 4.4: a preset, dates, or a period that a schedule has chosen. */
import {
  DATE_RANGE_PRESETS,
  type DateRange,
  type DateRangePreset,
  readDateRange,
} from '../../../kernel/date-range.js';
import { DAY } from '../../../kernel/duration.js';
import { DomainError } from '../../../kernel/domain-error.js';
import type { ReportRange } from './report-data.js';
import { reportPeriod } from './report-period.js';

/** Unvalidated input: each kind of invalid value has its own error. */
export interface DataRequest {
  readonly dateRange?: unknown;
  readonly fromDate?: unknown;
  readonly toDate?: unknown;
  /** Whether to compare with the previous period; defaults to the report's setting. */
  readonly compare?: boolean;
  /** A period that is already resolved. */
  readonly range?: ReportRange;
}

/** The period of a request, and a cache key that stays the same if only time has passed. */
export interface ResolvedRange {
  readonly range: ReportRange;
  readonly cacheKey: string;
}

/**
 * Resolves the requested period.
 * @param fallback the report's own preset.
 * @throws DomainError invalid_field for an unknown preset; invalid_date_param as `readDateRange` and `reportPeriod`.
 */
export function resolveRange(request: DataRequest, fallback: string, now: Date): ResolvedRange {
  const { range, dateRange, fromDate, toDate } = request;
  if (range) return { range, cacheKey: keyOfDates(range) };
  const preset = dateRange === undefined ? findPreset(fallback) : findPreset(dateRange);
  if (!preset) throw unknownPreset();
  const dates = reportPeriod(readDateRange({ fromDate, toDate, dateRange: preset }, now, preset));
  if (fromDate === undefined && toDate === undefined) {
    const day = Math.floor(now.getTime() / DAY);
    const isOfDay = preset === 'today' || preset === 'yesterday';
    return { range: { ...dates, preset }, cacheKey: isOfDay ? `${preset} ${day}` : preset };
  }
  // With only one date, the other end depends on the current time, which the key need not include.
  const dateInputs = [fromDate, toDate].map((date) => (typeof date === 'string' ? date : ''));
  const endsNow = toDate === undefined;
  return {
    range: { ...dates, preset: null },
    cacheKey: endsNow ? `${dateInputs[0] ?? ''}/` : keyOfDates(dates),
  };
}

function unknownPreset(): DomainError {
  const message = `must be one of ${DATE_RANGE_PRESETS.join(', ')}`;
  return new DomainError('invalid_field', `date_range: ${message}`, (spell) => ({
    errors: [{ field: spell('dateRange'), message }],
  }));
}

function findPreset(name: unknown): DateRangePreset | undefined {
  return DATE_RANGE_PRESETS.find((preset) => preset === name);
}

function keyOfDates({ from, to }: DateRange): string {
  return `${from.toISOString()}/${to.toISOString()}`;
}
