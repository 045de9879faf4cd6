/**
 * The Jinja2 spelling of names that NLT finds by folding (specification section 4.3: convert). Jinja2 reads exact keys,
 * so one must be chosen: a name in the form of a key (`plan`, `firstName`, `fav-colour`) stays, words become
 * snake_case, and any other name stays unchanged. Names of events are always in snake_case.
 */
import { CONTACT_FIELDS } from '../../kernel/contact-fields.js';
import { foldName, snakeCase } from '../nlt/name-lookup.js';
import type { JinjaExpression } from './jinja-tree.js';

/** The contact's standard fields, which are not in `properties`. */
const contactFields = new Map(CONTACT_FIELDS.map((field) => [foldName(field), field]));

/** Names that a loop variable would shadow or that have another meaning in Jinja2. */
const RESERVED = new Set(
  (
    'and else elif endif if in is not or for endfor true false none True False None import from include extends ' +
    'block macro set raw filter call with autoescape do break continue loop self super caller varargs kwargs range ' +
    'dict lipsum cycler joiner namespace contact event events trigger_event user today now'
  ).split(' '),
);

/** A field of the contact: a standard one, or one of `properties`. */
export function contactItem([first = '', ...rest]: readonly string[]): JinjaExpression {
  const contact: JinjaExpression = { kind: 'name', name: 'contact' };
  const field = contactFields.get(foldName(first));
  if (field !== undefined) return itemAt(member(contact, field), rest);
  return itemAt(member(member(contact, 'properties'), keyOf(first)), rest);
}

/** A field of the trigger event. */
export function triggerItem([first = '', ...rest]: readonly string[]): JinjaExpression {
  return itemAt(member({ kind: 'name', name: 'event' }, keyOf(first)), rest);
}

/** A field of the latest event called `event`. */
export function eventItem(event: string, [first = '', ...rest]: readonly string[]): JinjaExpression {
  const name = isWords(event) ? snakeCase(event) : event;
  return itemAt(member(member({ kind: 'name', name: 'events' }, name), keyOf(first)), rest);
}

/** The value at `path` inside `target`; a whole number may be a list index. */
export function itemAt(target: JinjaExpression, path: readonly string[]): JinjaExpression {
  return path.reduce<JinjaExpression>((inner, name) => {
    if (/^(?:0|[1-9]\d{0,5})$/.test(name))
      return { kind: 'item', target: inner, key: { kind: 'number', digits: name } };
    return member(inner, keyOf(name));
  }, target);
}

function member(target: JinjaExpression, key: string): JinjaExpression {
  return { kind: 'item', target, key: { kind: 'text', text: key } };
}

function keyOf(name: string): string {
  return /^[a-z_]\w*(?:-\w+)*$/.test(name) || !isWords(name) ? name : snakeCase(name);
}

function isWords(name: string): boolean {
  return /^[\p{L}\p{N}][\p{L}\p{M}\p{N}_ -]*$/u.test(name);
}

/**
 * A name for a loop variable that is not in `usedNames`.
 * @param read names that the surrounding Jinja2 reads: such a name stays unchanged.
 */
export function variableFor(name: string, usedNames: readonly string[], read?: ReadonlySet<string>): string {
  const words = (read?.has(name) === true ? name : keyOf(name)).replace(/\W+/g, '_');
  const plain = /^[A-Za-z]/.test(words) && !RESERVED.has(words) ? words : `item_${words}`;
  let variable = plain;
  for (let number = 2; usedNames.includes(variable); number++) variable = `${plain}_${number}`;
  return variable;
}
