/**
 * Maps Jinja2's names to NLT (specification section 4.3; the table of sources in the template language).
 *
 * Edge cases:
 * - `contact.x` and `contact.properties.x` are the user's x; a property with the name of a standard field keeps its
 *   path.
 * - `event.x`, `event.attributes.x`, `trigger_event.x` and `trigger_event.attributes.x` are the x from the trigger
 *   event; `events.signed_up.x` and `events.signed_up.attributes.x` the x from the signed_up event.
 * - A free name is the short form. `event.x|default(contact.x)` is also the short form, since that is its meaning.
 * - `today` and `now` are NLT's; `x[-1]` is the last entry of x.
 */
import { CONTACT_FIELDS } from '../../kernel/contact-fields.js';
import { foldName } from '../nlt/name-lookup.js';
import type { CurrentMoment, Reference } from '../nlt/tree.js';
import type { LoopScope } from '../nlt/loop-scope.js';
import type { JinjaExpression, JinjaFilter } from './jinja-tree.js';
import { unconvertible } from './conversion.js';

/** Fields outside of a contact's properties: `contact.properties.email` is not `contact.email`. */
const standardFields = new Set([...CONTACT_FIELDS, 'user_id']);
const builtInNames = new Set([
  'loop',
  'self',
  'caller',
  'varargs',
  'kwargs',
  'cycler',
  'joiner',
  'namespace',
]);

/** A name with the attributes and subscripts after it; null if `expression` is something else. */
export function pathOf(expression: JinjaExpression): string[] | null {
  const path: string[] = [];
  let target = expression;
  while (target.kind === 'item') {
    const { key } = target;
    if (key.kind === 'text') path.push(key.text);
    else if (key.kind === 'number' && /^\d+$/.test(key.digits)) path.push(key.digits);
    else return null;
    target = target.target;
  }
  if (target.kind !== 'name') return null;
  path.push(target.name);
  return path.reverse();
}

/** Converts a path to NLT. @throws Unconvertible */
export function referenceOf(path: readonly string[], scope: LoopScope): Reference | CurrentMoment {
  const [root = '', ...rest] = path;
  for (const name of rest) checkName(name);
  const resolved = scope.resolve(root);
  if (resolved === 'hidden') unconvertible(`“${root}” gets its value from a tag that is not converted`);
  if (resolved !== undefined) return shortReference([resolved.variable, ...rest]);
  switch (root) {
    case 'contact': {
      const [first = '', second] = rest;
      const isProperty = first === 'properties' && second !== undefined && !standardFields.has(second);
      return reference('contact', root, isProperty ? rest.slice(1) : rest);
    }
    case 'event':
      return reference('trigger', root, withoutAttributes(rest));
    case 'trigger_event':
      if (rest.length === 1 && rest[0] === 'event_name')
        unconvertible('NLT cannot show the name of an event');
      return reference('trigger', root, withoutAttributes(rest));
    case 'events': {
      const [event = '', ...attributes] = rest;
      return { ...reference('event', path.slice(0, 2).join('.'), withoutAttributes(attributes)), event };
    }
    default:
      break;
  }
  if ((root === 'today' || root === 'now') && rest.length === 0) return { kind: 'moment', name: root };
  if (builtInNames.has(root)) unconvertible(`“${root}” is built into Jinja2`);
  if (scope.isShadowed(root))
    unconvertible(`in NLT, “${root}” would be the loop variable with a similar name`);
  return shortReference(path);
}

function reference(
  source: 'contact' | 'trigger' | 'event',
  whole: string,
  path: readonly string[],
): Reference {
  if (path.length === 0) unconvertible(`“${whole}” is not a single value`);
  return { kind: 'reference', source, event: null, path };
}

function shortReference(path: readonly string[]): Reference {
  return { kind: 'reference', source: 'short', event: null, path };
}

function withoutAttributes(path: readonly string[]): readonly string[] {
  return path.length > 1 && path[0] === 'attributes' ? path.slice(1) : path;
}

/** NLT rejects empty names, and parses a no-break space in quotes as a space. */
function checkName(name: string): void {
  if (name.trim() === '' || name.includes('\u00a0')) unconvertible('NLT has no such names');
}

/** `event.x|default(contact.x)`, which is the meaning of the short form; null for every other filter. */
export function shortFormOf({ target, name, args }: JinjaFilter, scope: LoopScope): Reference | null {
  const [fallback] = args;
  if (!/^(?:default|d)$/.test(name) || args.length !== 1 || fallback === undefined) return null;
  const [eventPath, contactPath] = [pathOf(target), pathOf(fallback.value)];
  if (eventPath?.[0] !== 'event' || contactPath?.[0] !== 'contact' || fallback.name !== null) return null;
  if (scope.resolve('event') !== undefined || scope.resolve('contact') !== undefined) return null;
  const [fromEvent, fromContact] = [referenceOf(eventPath, scope), referenceOf(contactPath, scope)];
  if (fromEvent.kind !== 'reference' || fromContact.kind !== 'reference') return null;
  const { path } = fromEvent;
  const isSame =
    path.length === fromContact.path.length &&
    path.every((part, index) => foldName(part) === foldName(fromContact.path[index] ?? ''));
  return isSame && !scope.isShadowed(path[0] ?? '') ? shortReference(path) : null;
}
