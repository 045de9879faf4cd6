/**
 * The one way of input into a handler: a parameter whose class says what its input is (`platform/input`) is given what
 * was read of it, in REST and GraphQL. Whatever has no such class comes as it was written.
 */
import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import { isInputClass, tableOf, type Face, type InputClass } from '../input/input-table.js';
import { readInput } from '../input/read-input.js';

@Injectable()
export class InputPipe implements PipeTransform {
  transform(value: unknown, metadata: ArgumentMetadata): unknown {
    const { metatype } = metadata;
    if (!isInputClass(metatype)) return value;
    const face = faceOf(metatype, metadata);
    // Whether an argument of GraphQL may be left out is the schema's to say.
    if (face === 'graphql' && (value === undefined || value === null)) return value;
    return readInput(metatype, value, face);
  }
}

/** Arguments of GraphQL come as bodies: one by its name, which a body of REST has not, all by a class that says so. */
function faceOf(inputClass: InputClass, { type, data }: ArgumentMetadata): Face {
  if (type === 'query') return 'query';
  const { areArguments } = tableOf(inputClass.prototype as object).rules;
  return data === undefined && !areArguments ? 'body' : 'graphql';
}
