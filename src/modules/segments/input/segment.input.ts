/** Input for segments, from GraphQL and from seed files. Filters have their own parser: read-filter. */
import { DomainError } from '../../../kernel/domain-error.js';
import { isJsonObject, type JsonObject } from '../../../kernel/json.js';
import { blankProblem } from '../../../platform/input/checks.js';
import { OneOf, Read, SearchText, Text, Integer } from '../../../platform/input/fields.js';
import { Arguments, Input } from '../../../platform/input/input-class.js';
import type { InputContext } from '../../../platform/input/input-table.js';
import { MAX_PAGE_SIZE, NESTED_PAGE_SIZE, PageArgs } from '../../../platform/input/page.input.js';
import { readInput, refuse, refuseAs } from '../../../platform/input/read-input.js';
import { MATCHES, type FilterGroup, type Match } from '../domain/filter.js';
import { EVENT_OPERATORS, OPERATORS_OF, SEGMENT_OPERATORS, TAG_OPERATORS } from '../domain/operators.js';
import { readFilter } from '../domain/read-filter.js';
import type { NewSegment } from '../domain/segment.js';

const LONGEST_NAME = 255;
const LONGEST_DESCRIPTION = 1_000;
const LONGEST_SEARCH = 255;

const NAME = { min: 1, max: LONGEST_NAME, check: blankProblem } as const;
const DESCRIPTION = {
  optional: true,
  max: LONGEST_DESCRIPTION,
  message: `must be a string of at most ${LONGEST_DESCRIPTION} characters`,
} as const;
const MATCH = { message: `must be ${MATCHES.join(' or ')}` } as const;

const listed = (operators: readonly string[]): string => operators.join(', ');
const CONDITIONS = { description: 'A list of conditions, as accepted by createSegment.' } as const;
const ALL_CONDITIONS = {
  description:
    `A list of conditions, with REST field names. Operators of text fields: ${listed(OPERATORS_OF.text)}; of ` +
    `created_at and updated_at: ${listed(OPERATORS_OF.moment)}; of properties and attributes: ` +
    `${listed(OPERATORS_OF.json)}; of tags: ${listed(Object.keys(TAG_OPERATORS))}; of events: ` +
    `${listed(Object.keys(EVENT_OPERATORS))}; of segments: ${listed(Object.keys(SEGMENT_OPERATORS))}.`,
} as const;

/** The list is validated as a filter; `match` does not affect whether it is valid. */
function readList(value: unknown, position: InputContext): readonly JsonObject[] | undefined {
  if (!Array.isArray(value)) {
    refuse(position, 'must be a list');
    return undefined;
  }
  try {
    readFilter({ match: 'all', conditions: value });
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    refuseAs(error, position);
  }
  return value as readonly JsonObject[];
}

@Input({ graphql: 'CreateSegmentInput' }, { nullIsAbsent: true })
export class CreateSegmentInput {
  @Text(NAME) name: string;
  @Text(DESCRIPTION) description?: string;
  @OneOf(MATCHES, { ...MATCH, optional: true, description: 'all (the default) or any' }) match?: Match;
  @Read(readList, ALL_CONDITIONS) conditions: readonly JsonObject[];
}

@Input(
  { graphql: 'UpdateSegmentInput', description: 'Omitted or null fields do not change.' },
  { nullIsAbsent: true },
)
export class UpdateSegmentInput implements Partial<NewSegment> {
  @Text({ ...NAME, optional: true }) name?: string;
  @Text(DESCRIPTION) description?: string;
  @OneOf(MATCHES, { ...MATCH, optional: true, description: 'all or any' }) match?: Match;
  @Read(readList, { ...CONDITIONS, optional: true }) conditions?: readonly JsonObject[];
}

@Arguments()
export class SegmentsArgs extends PageArgs {
  @SearchText({ optional: true, max: LONGEST_SEARCH, description: 'Matches part of the name.' })
  search?: string;
}

@Arguments()
export class PreviewSegmentArgs {
  @Read(readList, CONDITIONS) conditions: readonly JsonObject[];
  @OneOf(MATCHES, { ...MATCH, fallback: 'all', description: 'all or any' }) match: Match;

  @Integer({
    min: 1,
    max: MAX_PAGE_SIZE,
    fallback: NESTED_PAGE_SIZE,
    description: `Size of the sample, from 1 to ${MAX_PAGE_SIZE}.`,
  })
  first: number;
}

/** The requested segment; without `match` all conditions must be met. */
export function newSegmentOf(input: CreateSegmentInput): NewSegment {
  const { name, description = '', match = 'all', conditions } = input;
  return { name, description, match, conditions };
}

/** Parses the filter. */
export function filterOf({ match, conditions }: Pick<NewSegment, 'match' | 'conditions'>): FilterGroup {
  return readFilter({ match, conditions });
}

/**
 * Reads a new segment that did not come through GraphQL: from a seed file. Without conditions it contains every
 * contact.
 */
export function readSegment(value: unknown): NewSegment {
  const written = isJsonObject(value) ? { conditions: [], ...value } : value;
  return newSegmentOf(readInput(CreateSegmentInput, written, 'body'));
}
