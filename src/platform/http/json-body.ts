/**
 * Reads JSON bodies and refuses, before anyone sees them, those that would break something further in: keys that
 * poison prototypes, nesting that overflows a stack. Section 7: an invalid request body answers 400. Text that cannot
 * be stored is left to the readers: in a batch it must not cost the other items.
 */
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
): (request: FastifyRequest, body: Buffer | string, done: Done) => void {
  const parse = instance.getDefaultJsonParser('error', 'error');
  return (request, body, done) => {
    const text = typeof body === 'string' ? body : body.toString('utf8');
    if (text === '') {
      done(null, undefined);
      return;
    }
    void parse(request, text, (error: Error | null, value?: unknown) => {
      if (error) done(refusal(error));
      else if (!isShallow(value, DEEPEST)) done(invalid(`The body is nested deeper than ${DEEPEST} levels.`));
      else done(null, value);
    });
  };
}

function invalid(detail: string): DomainError {
  return new DomainError('validation_error', detail);
}

function refusal(error: Error): DomainError {
  return invalid(
    /forbidden prototype/i.test(error.message)
      ? 'The body holds a key that is not accepted: __proto__ or constructor.prototype.'
      : 'The body is not valid JSON.',
  );
}

function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (levels === 0) return false;
  for (const inner of Object.values(value)) {
    if (typeof inner === 'object' && inner !== null && !isShallow(inner, levels - 1)) return false;
  }
  return true;
}
