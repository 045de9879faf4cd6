/**
 * Reads JSON bodies and refuses, before anyone sees them, those that would break something further in: keys that
 * poison prototypes, nesting that overflows a stack. Section 7: an invalid request body answers 400. Text that cannot
 * be stored is left to the readers: in a batch it must not cost the other items. Bytes that are no UTF-8 are refused
 * as a whole, since nobody can tell any more what they were meant to be.
 */
import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DomainError } from '../../kernel/domain-error.js';

/** Deeper than any body of the interface needs, shallower than any recursion over one can bear. */
const DEEPEST = 64;

type Done = (error: Error | null, body?: unknown) => void;

/**
 * The parser of JSON bodies. An empty body is undefined, since clients send the content type with no content.
 * @param instance whose parser looks for poisoned prototypes.
 */
export function jsonBodyParser(
  instance: FastifyInstance,
): (request: FastifyRequest, body: Buffer, done: Done) => void {
  const parse = instance.getDefaultJsonParser('error', 'error');
  return (request, body, done) => {
    if (body.length === 0) {
      done(null, undefined);
      return;
    }
    if (!isUtf8(body)) {
      done(invalid('The body is not valid UTF-8.'));
      return;
    }
    const text = body.toString('utf8');
    void parse(request, text, (error: Error | null, value?: unknown) => {
      if (error) done(refusal(text));
      else if (!isShallow(value, DEEPEST)) done(invalid(`The body is nested deeper than ${DEEPEST} levels.`));
      else done(null, value);
    });
  };
}

function invalid(detail: string): DomainError {
  return new DomainError('validation_error', detail);
}

/** Why `text` was refused: Fastify's error does not tell, but what is JSON all the same holds a poisoned key. */
function refusal(text: string): DomainError {
  return invalid(
    isJson(text.replace(/^\ufeff/, ''))
      ? 'The body holds a key that is not accepted: __proto__ or constructor.prototype.'
      : 'The body is not valid JSON.',
  );
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (levels === 0) return false;
  for (const inner of Object.values(value)) {
    if (typeof inner === 'object' && inner !== null && !isShallow(inner, levels - 1)) return false;
  }
  return true;
}
