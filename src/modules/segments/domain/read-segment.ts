/** Reads a segment as it is posted: its name, its description and its filter. */
import { DomainError, invalidFields, missingField } from '../../../kernel/domain-error.js';
import { isJsonObject, isStorableText } from '../../../kernel/json.js';
import { isLonger } from '../../../kernel/text-length.js';
import { readFilter } from './read-filter.js';
import type { NewSegment } from './segment.js';

const LONGEST_NAME = 255;
const LONGEST_DESCRIPTION = 1_000;
const FIELDS = ['name', 'description', 'match', 'conditions'];

/**
 * Reads a segment; without `match` all conditions are to be met, without conditions everybody is in it.
 * @throws DomainError validation_error without a name, invalid_filter_operator, or invalid_field naming what is wrong.
 */
export function readSegment(input: unknown): NewSegment {
  if (!isJsonObject(input)) throw new DomainError('invalid_field', 'A segment must be an object.');
  const { name, description = '', match = 'all', conditions = [] } = input;
  const unknown = Object.keys(input).filter((field) => !FIELDS.includes(field));
  if (unknown.length > 0)
    throw invalidFields(unknown.map((field) => ({ field, message: 'is not a known field' })));
  if (name === undefined) throw missingField('name');
  if (!isText(name, LONGEST_NAME) || name.trim() === '')
    throw invalidFields([
      { field: 'name', message: `must be a text of 1 to ${LONGEST_NAME} characters, not blank` },
    ]);
  if (!isText(description, LONGEST_DESCRIPTION))
    throw invalidFields([
      { field: 'description', message: `must be a text of at most ${LONGEST_DESCRIPTION} characters` },
    ]);
  const filter = readFilter({ match, conditions });
  return { name, description, match: filter.match, conditions: conditions as NewSegment['conditions'] };
}

function isText(value: unknown, longest: number): value is string {
  return typeof value === 'string' && !isLonger(value, longest) && isStorableText(value);
}
