/** A source that returns records from a list, page by page, and runs a test's callback before a page. */
import type {
  SourceContact,
  SourceRecord,
  OptOutReason,
} from '../../../src/modules/imports/domain/source-record.js';
import type { Cursor, ImportSource, SourcePage } from '../../../src/modules/imports/domain/import-source.js';
import type { MappingTarget } from '../../../src/modules/imports/domain/import-job.js';
import type { JsonValue } from '../../../src/kernel/json.js';

export class ListSource implements ImportSource {
  readonly fields: Readonly<Record<string, MappingTarget>> = {
    external_id: 'external_id',
    email: 'email',
    first_name: 'first_name',
    timezone: 'timezone',
    locale: 'locale',
    status: 'subscription_status',
  };
  /** Whether each page is written separately, in its own time slice. */
  isApart = false;
  /** Index of the first record of each requested page. */
  readonly asked: number[] = [];
  before: (at: number) => Promise<void> | void = () => undefined;

  constructor(
    private readonly records: readonly SourceRecord[],
    private readonly pageSize: number,
    private readonly extent: 'total' | 'share' | 'nothing' = 'total',
  ) {}

  async page(_credentials: unknown, cursor: Cursor | null): Promise<SourcePage> {
    const at = Number(cursor?.at ?? 0);
    this.asked.push(at);
    await this.before(at);
    const end = Math.min(at + this.pageSize, this.records.length);
    const total = this.records.filter(({ kind }) => kind !== 'suppression').length;
    return {
      records: this.records.slice(at, end),
      next: end < this.records.length ? { at: end } : null,
      ...(this.extent === 'total' ? { total } : {}),
      ...(this.isApart && end < this.records.length ? { retryAfterMs: 0 } : {}),
      ...(this.extent === 'share' ? { share: end / this.records.length } : {}),
    };
  }

  assets(): Promise<{ kind: 'list'; name: string; detail: null }[]> {
    return Promise.resolve([{ kind: 'list', name: 'Readers', detail: null }]);
  }

  problemOf(): null {
    return null;
  }
}

/** A source whose pages are each written separately. */
export function apart(...args: ConstructorParameters<typeof ListSource>): ListSource {
  const source = new ListSource(...args);
  source.isApart = true;
  return source;
}

export function contact(
  row: number,
  externalId: string | null,
  fields: Record<string, JsonValue> = {},
  optOut: OptOutReason | null = null,
): SourceContact {
  return { kind: 'contact', row, externalId, fields, optOut };
}
