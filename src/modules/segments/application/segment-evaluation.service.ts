/** Evaluates a segment now (section 4.10), without its stored members; also an unsaved filter. */
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { Database } from '../../../platform/database/database.js';
import type { Contact } from '../../contacts/domain/contact.js';
import { KnownContacts } from '../../contacts/application/known-contacts.js';
import type { AudienceMember } from '../domain/audience.js';
import type { FilterGroup } from '../domain/filter.js';
import { segmentIdIn, SegmentSet } from '../domain/segment-set.js';
import { numberPaths } from '../domain/filter-inputs.js';
import type { Evaluation } from '../domain/segment.js';
import { filterSql, membersSql, type FilterSql } from '../persistence/filter-sql.js';
import { SegmentRepository } from '../persistence/segment.repository.js';
import { SegmentEvaluationRepository } from '../persistence/segment-evaluation.repository.js';
import { segmentNotFound } from './segment.service.js';

const MAX_SAMPLE_CONTACTS = 100;
const MAX_WARNINGS = 10;

export interface EvaluatedSegment extends Evaluation {
  readonly segmentId: string;
  readonly evaluatedAt: Date;
}

export interface SegmentPreview {
  readonly count: number;
  /** Newest contacts first. */
  readonly sample: readonly Contact[];
  /** Likely mistakes in the filter, as sentences. */
  readonly warnings: readonly string[];
}

@Injectable()
export class SegmentEvaluationService {
  constructor(
    private readonly database: Database,
    private readonly segments: SegmentRepository,
    private readonly evaluations: SegmentEvaluationRepository,
    private readonly contacts: KnownContacts,
    private readonly clock: Clock,
  ) {}

  /**
   * Counts the contacts that are in the segment now, and returns the ids of the newest 100.
   * @throws DomainError segment_not_found; as readFilter does, for a filter that was stored under less strict rules.
   */
  async evaluate(scope: TenantScope, id: string): Promise<EvaluatedSegment> {
    const { segmentId, filter, set } = await this.find(scope, id);
    const now = this.clock.now();
    const compiled = filterSql(filter, { now, filterOf: set.filterOf, firstParameter: 2 });
    const { count, sample } = await this.evaluations.evaluate(scope, compiled, MAX_SAMPLE_CONTACTS);
    return { segmentId, count, sample, evaluatedAt: now };
  }

  /**
   * The same for an unsaved filter.
   * @param limit maximum number of contacts in the sample, at most 100.
   * @throws DomainError invalid_field for a filter that names unknown segments.
   */
  async preview(scope: TenantScope, filter: FilterGroup, limit: number): Promise<SegmentPreview> {
    const set = await this.database.inScope(scope, (tx) => this.all(scope, tx));
    set.assertMeaningful(filter);
    const options = { now: this.clock.now(), filterOf: set.filterOf, firstParameter: 2 };
    const sampleLimit = Math.min(limit, MAX_SAMPLE_CONTACTS);
    const { count, sample } = await this.evaluations.evaluate(scope, filterSql(filter, options), sampleLimit);
    const contacts = await this.database.inScope(scope, (tx) => this.contacts.find(tx, scope, 'id', sample));
    const byId = new Map(contacts.map((contact) => [contact.id, contact]));
    const warnings = await this.warnings(scope, filter);
    return { count, sample: sample.flatMap((id) => byId.get(id) ?? []), warnings };
  }

  /** Warns of properties that the filter compares with numbers but that are text in all contacts. */
  private async warnings(scope: TenantScope, filter: FilterGroup): Promise<string[]> {
    const warnings: string[] = [];
    for (const path of numberPaths(filter).slice(0, MAX_WARNINGS))
      if (await this.evaluations.holdsOnlyTexts(scope, path))
        warnings.push(
          `properties.${path.join('.')} is compared with a number, but it is a string in every contact that has ` +
            'it, so no contact matches. Import the column with the type number, or send numbers.',
        );
    return warnings;
  }

  /**
   * Visits all contacts that are in the segment now, each once, in the order of ids, in chunks of a thousand, so
   * memory use does not depend on the size of the segment.
   * @param visit is awaited before the next chunk is read.
   * @returns the segment's id and the time of the evaluation.
   * @throws DomainError as `evaluate`; segment_too_costly if the walk takes more than a minute.
   */
  async visitMembers(
    scope: TenantScope,
    id: string,
    visit: (members: readonly AudienceMember[]) => Promise<void>,
  ): Promise<Pick<EvaluatedSegment, 'segmentId' | 'evaluatedAt'>> {
    const { segmentId, filter, set } = await this.find(scope, id);
    const now = this.clock.now();
    await this.evaluations.visitMembers(scope, filterSql(filter, { now, filterOf: set.filterOf }), visit);
    return { segmentId, evaluatedAt: now };
  }

  /**
   * The contacts in the segment as a condition on `c`, a row of contacts, for read queries such as an export.
   * @throws DomainError as `evaluate`.
   */
  async condition(scope: TenantScope, id: string): Promise<Pick<FilterSql, 'sql' | 'values'>> {
    const { filter, set } = await this.find(scope, id);
    const compiled = filterSql(filter, { now: this.clock.now(), filterOf: set.filterOf });
    if (compiled.joins === '') return compiled;
    return { sql: `c.id IN (${membersSql(compiled)})`, values: compiled.values };
  }

  private async find(
    scope: TenantScope,
    id: string,
  ): Promise<{ segmentId: string; filter: FilterGroup; set: SegmentSet }> {
    const segmentId = segmentIdIn(id);
    if (segmentId === undefined) throw segmentNotFound(id);
    const set = await this.database.inScope(scope, (tx) => this.all(scope, tx));
    const filter = set.filterOf(segmentId);
    if (!filter) throw segmentNotFound(id);
    return { segmentId, filter, set };
  }

  private async all(scope: TenantScope, tx: Parameters<SegmentRepository['all']>[0]): Promise<SegmentSet> {
    return new SegmentSet(await this.segments.all(tx, scope));
  }
}
