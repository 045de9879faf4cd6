/**
 * Parses the input of every handler: a parameter whose class declares its input (`platform/input`) receives the parsed
 * object, in REST and GraphQL. Parameters without such a class receive the raw value.
 */
import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import { isInputClass, tableOf, type InputSource, type InputClass } from '../input/input-table.js';
import { readInput } from '../input/read-input.js';

@Injectable()
export class InputPipe implements PipeTransform {
  transform(value: unknown, metadata: ArgumentMetadata): unknown {
    const { metatype } = metadata;
    if (!isInputClass(metatype)) return value;
    const source = sourceOf(metatype, metadata);
    // The GraphQL schema defines whether an argument may be omitted.
    if (source === 'graphql' && (value === undefined || value === null)) return value;
    return readInput(metatype, value, source);
  }
}

/**
 * GraphQL arguments arrive as bodies: a single one by its name, which a REST body does not have; all together as a
 * class that declares it.
 */
function sourceOf(inputClass: InputClass, { type, data }: ArgumentMetadata): InputSource {
  if (type === 'query') return 'query';
  const { areArguments } = tableOf(inputClass.prototype as object).rules;
  return data === undefined && !areArguments ? 'body' : 'graphql';
}
